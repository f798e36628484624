#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/session/service.hpp>
#include <string>
#include <utility>

namespace fairlead::gateway {

/// Shows in the log, on its level for debugging, what clients really say and what they are really answered; passes all
/// of it on as it is.
class WireLog final : public session::Service {
 public:
  /// `next` and `log` outlive it.
  WireLog(session::Service& next, LogSink& log, std::string name) : next_(next), log_(log), name_(std::move(name)) {}

  Task<Result<session::Reply>> call(session::Call& call) override {
    return log_.enabled(LogLevel::debug) ? logged(call) : next_.call(call);
  }
  bool answers_now() const override { return next_.answers_now(); }
  Task<void> notify(session::Notice& notice) override;
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return next_.attend(std::move(conversation));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return next_.header_params(tool, principal);
  }
  const protocol::Implementation* self() const override { return next_.self(); }

 private:
  Task<Result<session::Reply>> logged(session::Call& call);

  session::Service& next_;
  LogSink& log_;
  std::string name_;
};

}  // namespace fairlead::gateway
