#pragma once

#include <fairlead/session/service.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gateway/model/backend_lookup.hpp"

namespace fairlead::gateway {

/// Passes everything on to another service. Base of services that change some of it.
class ForwardingService : public session::Service, public BackendLookup {
 public:
  explicit ForwardingService(std::shared_ptr<session::Service> target) { set_target(std::move(target)); }
  /// `target` outlives it.
  explicit ForwardingService(session::Service& target)
      : ForwardingService(std::shared_ptr<session::Service>(std::shared_ptr<void>(), &target)) {}

  // A copy would forward to the target of the other service, not to that service.
  ForwardingService(const ForwardingService&) = delete;
  ForwardingService& operator=(const ForwardingService&) = delete;

  Task<Result<session::Reply>> call(session::Call& call) override { return target_->call(call); }
  Task<void> notify(session::Notification& notice) override { return target_->notify(notice); }
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
  bool may_send_requests(ListKind kind, std::string_view name) const override {
    return backends_.may_send_requests(kind, name);
  }

 protected:
  const std::shared_ptr<session::Service>& target() const { return target_; }
  void set_target(std::shared_ptr<session::Service> target) {
    target_ = std::move(target);
    backends_ = CachedBackendLookup(*target_);
  }

 private:
  std::shared_ptr<session::Service> target_;
  CachedBackendLookup backends_;
};

}  // namespace fairlead::gateway
