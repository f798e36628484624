#include "gateway/wire_log.hpp"

#include <fmt/format.h>

namespace fairlead::gateway {
namespace {

std::string client_name(std::uint64_t conversation, const std::string& principal) {
  return fmt::format("conversation {}{}{}", conversation, principal.empty() ? "" : " of ", principal);
}

}  // namespace

Task<Result<session::Reply>> WireLog::logged(session::Call& call) {
  const auto from = client_name(call.context.conversation, call.context.principal);
  const auto id = call.context.id ? call.context.id->to_json() : "none";
  log_.write(LogLevel::debug, name_, fmt::format("{} asks id={} {} {}", from, id, call.method, call.params.text()));
  auto reply = co_await next_.call(call);
  log_.write(LogLevel::debug, name_,
             reply ? fmt::format("{} gets id={} {}", from, id, reply->body.text())
                   : fmt::format("{} gets id={} an error: {}", from, id, reply.error().message));
  co_return reply;
}

Task<void> WireLog::notify(session::Notice& notice) {
  log(log_, LogLevel::debug, name_, [&] {
    return fmt::format("{} says {} {}", client_name(notice.conversation, notice.principal), notice.method,
                       notice.params.text());
  });
  return next_.notify(notice);
}

}  // namespace fairlead::gateway
