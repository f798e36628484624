#include "gateway/app/json_log.hpp"

#include <algorithm>
#include <fairlead/json/writer.hpp>
#include <poll.h>

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

std::unique_ptr<LogSink> debug_file(const std::string& path, LogLevel least) {
  if (path.empty()) return std::make_unique<NullSink>();
  return std::make_unique<FileSink>(path, least);
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

JsonLog::JsonLog(const DebugDecision& decision, LogLevel least, int descriptor)
    : least_(decision.on ? std::min(least, LogLevel::debug) : least),
      json_(least_, descriptor),
      file_(debug_file(decision.file, least_)),
      both_(json_, *file_),
      clean_(both_, redactor_) {}

LogAndRedactor make_log(const DebugDecision& decision, LogLevel least, bool json) {
  const auto prepared = [](auto log) -> LogAndRedactor {
    auto& redactor = log->redactor();
    // A request state allows to continue the suspended call, so it is a secret.
    redactor.add_key("requestState");
    return {std::move(log), &redactor};
  };
  if (json) return prepared(std::make_unique<JsonLog>(decision, least));
  return prepared(std::make_unique<ProgramLog>(decision, least));
}

}  // namespace fairlead::gateway
