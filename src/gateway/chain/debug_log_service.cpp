#include "gateway/chain/debug_log_service.hpp"

#include <fmt/format.h>

namespace fairlead::gateway {
namespace {

std::string session_label(std::uint64_t session_key, const std::string& principal) {
  return fmt::format("session {}{}{}", session_key, principal.empty() ? "" : " of ", principal);
}

}  // namespace

Task<Result<session::Reply>> DebugLogService::logged(session::Call& call) {
  const auto from = session_label(call.context.session_key, call.context.principal);
  const auto id = call.context.id ? call.context.id->to_json() : "none";
  log_.write(LogLevel::debug, name_, fmt::format("{} request id={} {} {}", from, id, call.method, call.params.text()));
  auto reply = co_await next_.call(call);
  log_.write(LogLevel::debug, name_,
             reply ? fmt::format("{} reply id={} {}", from, id, reply->body.text())
                   : fmt::format("{} error id={}: {}", from, id, reply.error().message));
  co_return reply;
}

Task<void> DebugLogService::notify(session::Notification& notice) {
  log(log_, LogLevel::debug, name_, [&] {
    return fmt::format("{} notification {} {}", session_label(notice.session_key, notice.principal), notice.method,
                       notice.params.text());
  });
  return next_.notify(notice);
}

}  // namespace fairlead::gateway
