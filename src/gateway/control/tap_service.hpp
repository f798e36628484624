#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/log.hpp>

#include "gateway/control/tap_hub.hpp"
#include "gateway/model/forwarding_service.hpp"
#include "gateway/observe/observing_services.hpp"

namespace fairlead::gateway {

/// First service of an endpoint. Logs the requests, replies and notifications of clients at debug level, publishes
/// messages of both directions while there are subscribers, and reports calls to the observers.
class TapService final : public ForwardingService {
 public:
  /// `next` also looks up the owner of a target. It and the event loop outlive the service.
  TapService(session::Service& next, const EventLoop& loop, std::string endpoint,
             std::shared_ptr<const ObserverList> observers, std::shared_ptr<TapHub> tap);

  Task<Result<session::Reply>> call(session::Call& call) override {
    return log_.enabled(LogLevel::debug) ? call_and_log(call) : forward(call);
  }
  Task<void> notify(session::Notification& notice) override;
  /// Always tapped, because a subscription may start during the session.
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef opened) override {
    return tapped_->on_session_open(std::move(opened));
  }

 private:
  // In most calls nothing is tapped: the observing service is then called directly.
  Task<Result<session::Reply>> forward(session::Call& call) {
    return tap_->has_subscribers() ? tapped_->call(call) : observing_.call(call);
  }
  Task<Result<session::Reply>> call_and_log(session::Call& call);

  LogSink& log_;
  std::string endpoint_;
  ObservingService observing_;
  std::shared_ptr<TapHub> tap_;
  std::shared_ptr<session::Service> tapped_;
};

}  // namespace fairlead::gateway
