#pragma once

#include <fairlead/base/log.hpp>
#include <memory>
#include <string>

#include "gateway/control/tap_hub.hpp"
#include "gateway/model/forwarding_service.hpp"

namespace fairlead::gateway {

/// First service of an endpoint. Publishes messages of both directions while there are subscribers, logs the requests,
/// replies and notifications of clients at debug level, and forwards everything unchanged.
class TapService final : public ForwardingService {
 public:
  /// `next`, which also looks up the owner of a target, and `log` outlive it.
  TapService(session::Service& next, std::shared_ptr<TapHub> tap, LogSink& log, std::string endpoint);

  Task<Result<session::Reply>> call(session::Call& call) override {
    return log_.enabled(LogLevel::debug) ? call_and_log(call) : next().call(call);
  }
  Task<void> notify(session::Notification& notice) override;
  /// Always tapped, because a subscription may start during the session.
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef opened) override {
    return tapped_->on_session_open(std::move(opened));
  }

 private:
  session::Service& next() const { return tap_->has_subscribers() ? *tapped_ : *target(); }
  Task<Result<session::Reply>> call_and_log(session::Call& call);

  std::shared_ptr<TapHub> tap_;
  LogSink& log_;
  std::string endpoint_;
  std::shared_ptr<session::Service> tapped_;
};

}  // namespace fairlead::gateway
