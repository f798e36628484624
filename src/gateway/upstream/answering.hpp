#pragma once

#include <fairlead/protocol/model/capabilities.hpp>

#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

/// What is offered to a server that many clients of all kinds share. Who cannot do what it asks for refuses then.
protocol::ClientCapabilities everything_a_client_can();

/// The server's way to its callers.
class Upstream::Answering final : public session::Service {
 public:
  explicit Answering(Upstream& upstream) : upstream_(upstream) {}

  Task<Result<session::Reply>> call(session::Call& question) override { return upstream_.answer(question); }
  Task<void> notify(session::Notice& notice) override {
    upstream_.hear(notice);
    co_return;
  }

 private:
  Upstream& upstream_;
};

}  // namespace fairlead::gateway
