#include "gateway/app/json_log.hpp"

#include <algorithm>
#include <fairlead/json/writer.hpp>
#include <poll.h>
#include <unistd.h>

#include "base/log_line.hpp"
#include "gateway/model/utc_time.hpp"

namespace fairlead::gateway {
namespace {

std::string json_line(LogLevel level, std::string_view source, std::string_view message, std::size_t lost) {
  std::string line;
  {
    json::ObjectWriter record(line);
    record.text("time", utc_text_milliseconds(std::chrono::system_clock::now())).text("level", name(level));
    record.text("component", source).text("message", message);
    if (lost != 0) record.raw("lost", std::to_string(lost));
  }
  return line + '\n';
}

}  // namespace

bool JsonSink::has_room() const {
  pollfd ready{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  return ::poll(&ready, 1, 0) != 0;
}

void JsonSink::write(LogLevel level, std::string_view source, std::string_view message) noexcept try {
  if (!enabled(level)) return;
  const std::lock_guard lock(mutex_);
  if (!has_room()) {
    ++lost_;
    return;
  }
  const auto line = json_line(level, source, message, lost_);
  std::size_t written = 0;
  lost_ = fairlead::write_all(descriptor_, line, &written) ? 0 : lost_ + 1;
} catch (...) {
  // Out of memory: drop the line.
}

std::unique_ptr<ProgramLog> make_log(const DebugDecision& decision, LogLevel least, bool json) {
  std::unique_ptr<ProgramLog> log;
  if (json) {
    const auto level = decision.on ? std::min(least, LogLevel::debug) : least;
    log = std::make_unique<ProgramLog>(decision, level, std::make_unique<JsonSink>(level, STDERR_FILENO));
  } else {
    log = std::make_unique<ProgramLog>(decision, least);
  }
  // A request state allows to continue the suspended call, so it is a secret.
  log->redactor().add_key("requestState");
  return log;
}

}  // namespace fairlead::gateway
