#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/session/service.hpp>
#include <string>
#include <utility>

namespace fairlead::gateway {

/// Logs the requests, replies and notifications of clients at debug level, as on the wire, and passes them on
/// unchanged.
class DebugLogService final : public session::Service {
 public:
  /// `next` and `log` must outlive it.
  DebugLogService(session::Service& next, LogSink& log, std::string name)
      : next_(next), log_(log), name_(std::move(name)) {}

  Task<Result<session::Reply>> call(session::Call& call) override {
    return log_.enabled(LogLevel::debug) ? logged(call) : next_.call(call);
  }
  Task<void> notify(session::Notification& notice) override;
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return next_.on_session_open(std::move(session));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return next_.header_params(tool, principal);
  }
  const protocol::Implementation* server_info() const override { return next_.server_info(); }

 private:
  Task<Result<session::Reply>> logged(session::Call& call);

  session::Service& next_;
  LogSink& log_;
  std::string name_;
};

}  // namespace fairlead::gateway
