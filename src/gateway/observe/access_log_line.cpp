#include "gateway/observe/access_log_line.hpp"

#include <algorithm>
#include <chrono>
#include <fairlead/json/writer.hpp>
#include <fmt/format.h>

namespace fairlead::gateway {
namespace {

/// Writes pairs of names and values.
class LineWriter {
 public:
  explicit LineWriter(bool json) : json_(json) {}

  void text(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    std::string quoted;
    json::write_string(quoted, value);
    const bool plain = value.find_first_of(" \"=\\") == value.npos && quoted.size() == value.size() + 2;
    raw(name, json_ || !plain ? quoted : std::string(value));
  }
  void number(std::string_view name, std::int64_t value) { raw(name, std::to_string(value)); }
  void time(std::string_view name, Duration value) {
    raw(name, fmt::format("{:.3f}", std::chrono::duration<double, std::milli>(value).count()));
  }
  void raw(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_ += json_ ? "," : " ";
    text_ += json_ ? fmt::format("\"{}\":{}", name, value) : fmt::format("{}={}", name, value);
  }

  std::string end() { return json_ ? "{" + text_ + "}" : text_; }

 private:
  bool json_;
  std::string text_;
};

}  // namespace

std::string access_log_line(const CallRecord& record, bool json, std::optional<Duration> at_servers) {
  const auto& outcome = record.outcome;
  LineWriter line(json);
  line.text("caller", record.caller.empty() ? "-" : record.caller);
  line.raw("session", std::to_string(record.session_key));
  line.text("method", record.method);
  line.text("target", record.target);
  line.text("server", record.server);
  line.text("transport", outcome.transport);
  line.number("error", outcome.code);
  line.raw("isError", outcome.tool_failed ? "true" : "false");
  const auto elapsed = record.end - record.start;
  line.time("ms", elapsed);
  if (at_servers) {
    line.time("server_ms", std::min(*at_servers, elapsed));
    line.time("chain_ms", elapsed - std::min(*at_servers, elapsed));
  }
  line.raw("bytes", std::to_string(record.bytes_out));
  line.text("message", outcome.message);
  line.text("params", record.params);
  line.text("trace", record.trace);
  return line.end();
}

}  // namespace fairlead::gateway
