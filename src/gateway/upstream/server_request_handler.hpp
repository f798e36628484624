#pragma once

#include <fairlead/protocol/model/capabilities.hpp>

#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

/// The capabilities declared to a server that different clients share. A request fails if its client did not declare
/// the capability.
protocol::ClientCapabilities all_client_capabilities();

/// Passes requests and notifications of the server to the `Upstream`.
class Upstream::ServerRequestHandler final : public session::Service {
 public:
  explicit ServerRequestHandler(Upstream& upstream) : upstream_(upstream) {}

  Task<Result<session::Reply>> call(session::Call& request) override {
    return upstream_.handle_server_request(request);
  }
  Task<void> notify(session::Notification& notice) override {
    upstream_.on_notification(notice);
    co_return;
  }

 private:
  Upstream& upstream_;
};

}  // namespace fairlead::gateway
