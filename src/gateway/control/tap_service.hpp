#pragma once

#include <fairlead/session/service.hpp>
#include <memory>
#include <string>

#include "gateway/control/tap_hub.hpp"

namespace fairlead::gateway {

/// First service of an endpoint: publishes messages of both directions while there are subscribers, and forwards them
/// unchanged.
class TapService final : public session::Service {
 public:
  /// `next` and `backends`, which looks up the owner of a target, outlive it.
  TapService(session::Service& next, const session::Service& backends, std::shared_ptr<TapHub> tap,
             std::string endpoint);

  Task<Result<session::Reply>> call(session::Call& call) override {
    return tap_->has_subscribers() ? tapped_->call(call) : next_.call(call);
  }
  Task<void> notify(session::Notification& notice) override {
    return tap_->has_subscribers() ? tapped_->notify(notice) : next_.notify(notice);
  }
  /// Always tapped, because a subscription may start during the session.
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef opened) override {
    return tapped_->on_session_open(std::move(opened));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return next_.header_params(tool, principal);
  }
  const protocol::Implementation* server_info() const override { return next_.server_info(); }

 private:
  session::Service& next_;
  std::shared_ptr<TapHub> tap_;
  std::shared_ptr<session::Service> tapped_;
};

}  // namespace fairlead::gateway
