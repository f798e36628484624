#pragma once

#include <fairlead/session/service.hpp>
#include <memory>
#include <utility>

#include "gateway/model/backend_lookup.hpp"

namespace fairlead::gateway {

/// Forwards to a service that can be replaced; calls in flight continue with the old one. Used on one event loop.
class SwappableService final : public session::Service, public BackendLookup {
 public:
  void set(std::shared_ptr<session::Service> target) {
    target_ = std::move(target);
    backends_ = CachedBackendLookup(*target_);
  }

  Task<Result<session::Reply>> call(session::Call& call) override {
    call.dependencies.reserve(2);
    call.dependencies.push_back(target_);
    return target_->call(call);
  }
  Task<void> notify(session::Notification& notice) override {
    const auto target = target_;
    co_await target->notify(notice);
  }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return target_->on_session_open(std::move(session));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return target_->header_params(tool, principal);
  }
  const protocol::Implementation* server_info() const override { return target_->server_info(); }
  std::optional<std::string> backend_name_of(ListKind kind, std::string_view name) const override {
    return backends_(kind, name);
  }

 private:
  std::shared_ptr<session::Service> target_;
  CachedBackendLookup backends_;
};

}  // namespace fairlead::gateway
