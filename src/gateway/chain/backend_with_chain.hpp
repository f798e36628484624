#pragma once

#include <fairlead/gateway/chain.hpp>

#include "gateway/model/forwarding_service.hpp"

namespace fairlead::gateway {

/// A backend behind the chain of its own server configuration.
class BackendWithChain final : public ForwardingBackend {
 public:
  BackendWithChain(const Chain& chain, std::shared_ptr<Backend> backend)
      : ForwardingBackend(std::move(backend)), service_(chain.then(std::shared_ptr<session::Service>(target()))) {}

  Task<Result<session::Reply>> call(session::Call& call) override { return service_->call(call); }
  Task<void> notify(session::Notification& notice) override { return service_->notify(notice); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return service_->on_session_open(std::move(session));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return service_->header_params(tool, principal);
  }

 private:
  std::shared_ptr<session::Service> service_;
};

}  // namespace fairlead::gateway
