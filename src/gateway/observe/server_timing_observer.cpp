#include "gateway/observe/server_timing_observer.hpp"

#include <algorithm>
#include <cmath>
#include <fairlead/protocol/headers.hpp>
#include <fmt/format.h>
#include <memory>

#include "base/parse_number.hpp"
#include "http/char_class.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;

constexpr std::size_t max_timings = 64;
constexpr std::size_t max_header_bytes = 4096;
constexpr std::size_t max_text_bytes = 128;

/// Parses a header value.
class TimingReader {
 public:
  explicit TimingReader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  bool take(char wanted) {
    skip_space();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string token() {
    skip_space();
    std::size_t size = 0;
    while (size < rest_.size() && http::consists_of(rest_.substr(size, 1), http::char_class::token)) ++size;
    std::string taken(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return taken;
  }

  std::string value() {
    if (!take('"')) return token();
    std::string taken;
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      taken += rest_.front();
      rest_.remove_prefix(1);
    }
    take('"');
    return taken;
  }

  void skip_to(std::string_view marks) { rest_.remove_prefix(std::min(rest_.find_first_of(marks), rest_.size())); }

 private:
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  std::string_view rest_;
};

std::optional<double> read_milliseconds(const std::string& text) {
  const auto value = parse_number<double>(text);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

// The first parameter of a name counts; unknown ones are skipped.
ServerTimingEntry read_timing(TimingReader& reader) {
  ServerTimingEntry timing{.name = reader.token()};
  bool has_time = false;
  bool has_text = false;
  while (true) {
    reader.skip_to(";,");
    if (!reader.take(';')) return timing;
    const auto name = reader.token();
    const auto value = reader.take('=') ? reader.value() : std::string();
    if (protocol::same_header(name, "dur") && !std::exchange(has_time, true)) {
      timing.milliseconds = read_milliseconds(value);
    } else if (protocol::same_header(name, "desc") && !std::exchange(has_text, true)) {
      timing.description = value;
    }
  }
}

std::string as_token(std::string_view text) {
  std::string token(text.substr(0, max_text_bytes));
  for (auto& c : token) {
    if (!http::consists_of({&c, 1}, http::char_class::token)) c = '_';
  }
  return token.empty() ? "_" : token;
}

std::string as_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text.substr(0, max_text_bytes)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c >= ' ' && c <= '~' ? c : '?';
  }
  return quoted + '"';
}

ServerTimingEntry timing_of(std::string name, const CallRecord& record, std::string description = {}) {
  const std::chrono::duration<double, std::milli> duration = record.end - record.start;
  return {.name = std::move(name), .milliseconds = duration.count(), .description = std::move(description)};
}

// Prefixed with the server's name, because chained gateways report the same hop names.
std::vector<ServerTimingEntry> timings_of_server(const std::string& server, const jsonrpc::MessageHeaders& headers) {
  std::vector<ServerTimingEntry> timings;
  for (const auto& [name, value] : headers) {
    if (!protocol::same_header(name, protocol::header::server_timing)) continue;
    for (auto& timing : read_server_timing(value)) {
      timing.name = as_token(server) + "." + timing.name;
      timings.push_back(std::move(timing));
    }
  }
  return timings;
}

/// Receives the timings that a server reports for a call. Copies share them: the call may be copied.
class ReportedTimings {
 public:
  explicit ReportedTimings(std::string server) : server_(std::move(server)) {}

  void operator()(const jsonrpc::MessageHeaders& headers) const { *entries_ = timings_of_server(server_, headers); }
  void append_to(std::vector<ServerTimingEntry>& all) const {
    all.insert(all.end(), entries_->begin(), entries_->end());
  }

 private:
  std::string server_;
  std::shared_ptr<std::vector<ServerTimingEntry>> entries_ = std::make_shared<std::vector<ServerTimingEntry>>();
};

}  // namespace

std::vector<ServerTimingEntry> read_server_timing(std::string_view text) {
  std::vector<ServerTimingEntry> timings;
  TimingReader reader(text.substr(0, max_header_bytes));
  while (!reader.done() && timings.size() < max_timings) {
    auto timing = read_timing(reader);
    if (!timing.name.empty()) timings.push_back(std::move(timing));
    reader.skip_to(",");
    reader.take(',');
  }
  return timings;
}

std::string write_server_timing(const std::vector<ServerTimingEntry>& timings) {
  std::string text;
  for (const auto& timing : timings) {
    auto entry = (text.empty() ? "" : ", ") + as_token(timing.name);
    if (timing.milliseconds) entry += fmt::format(";dur={:.3f}", *timing.milliseconds);
    if (!timing.description.empty()) entry += ";desc=" + as_quoted(timing.description);
    if (text.size() + entry.size() > max_header_bytes) break;
    text += entry;
  }
  return text;
}

void ServerTimingObserver::on_start(Call& call, CallRecord& record) {
  if (record.hop == Hop::front) call.context.timings = std::make_shared<std::vector<ServerTimingEntry>>();
  if (record.hop == Hop::server && call.context.timings) call.on_response_headers = ReportedTimings(record.server);
}

void ServerTimingObserver::on_end(Call& call, const CallRecord& record) {
  if (!call.context.timings) return;
  auto& all = *call.context.timings;
  if (record.hop == Hop::server) {
    all.push_back(timing_of(record.server, record, "server"));
    if (const auto* reported = call.on_response_headers.target<ReportedTimings>()) reported->append_to(all);
    call.on_response_headers = {};
    return;
  }
  all.insert(all.begin(), timing_of("front", record));
  const auto& others = call.context.response_headers;
  auto response_headers = std::make_shared<jsonrpc::MessageHeaders>(others ? *others : jsonrpc::MessageHeaders());
  response_headers->emplace_back(protocol::header::server_timing, write_server_timing(all));
  call.context.response_headers = std::move(response_headers);
  call.context.timings.reset();
}

}  // namespace fairlead::gateway
