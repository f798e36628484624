#include "gateway/observe/server_timing.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fairlead/protocol/headers.hpp>
#include <fmt/format.h>
#include <utility>

#include "http/characters.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;

constexpr std::size_t most_timings = 64;
constexpr std::size_t longest_timing_field = 4096;
constexpr std::size_t longest_timing_text = 128;

/// Reads a field's value from left to right.
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
    while (size < rest_.size() && http::consists_of(rest_.substr(size, 1), http::character::token)) ++size;
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
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

// The first of a name counts; those that we do not know are passed over.
Timing read_timing(TimingReader& reader) {
  Timing timing{.name = reader.token()};
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
  std::string token(text.substr(0, longest_timing_text));
  for (auto& c : token) {
    if (!http::consists_of({&c, 1}, http::character::token)) c = '_';
  }
  return token.empty() ? "_" : token;
}

std::string as_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text.substr(0, longest_timing_text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c >= ' ' && c <= '~' ? c : '?';
  }
  return quoted + '"';
}

Timing timing_of(std::string name, const Sight& sight, std::string description = {}) {
  const std::chrono::duration<double, std::milli> took = sight.ended - sight.begun;
  return {.name = std::move(name), .milliseconds = took.count(), .description = std::move(description)};
}

// Whose name it is shows, because each gateway in a row has a hop of the same name.
std::vector<Timing> told_by_server(const std::string& server, const jsonrpc::Luggage& luggage) {
  std::vector<Timing> timings;
  for (const auto& [name, value] : luggage) {
    if (!protocol::same_header(name, protocol::header::server_timing)) continue;
    for (auto& timing : read_server_timing(value)) {
      timing.name = as_token(server) + "." + timing.name;
      timings.push_back(std::move(timing));
    }
  }
  return timings;
}

}  // namespace

std::vector<Timing> read_server_timing(std::string_view text) {
  std::vector<Timing> timings;
  TimingReader reader(text.substr(0, longest_timing_field));
  while (!reader.done() && timings.size() < most_timings) {
    auto timing = read_timing(reader);
    if (!timing.name.empty()) timings.push_back(std::move(timing));
    reader.skip_to(",");
    reader.take(',');
  }
  return timings;
}

std::string write_server_timing(const std::vector<Timing>& timings) {
  std::string text;
  for (const auto& timing : timings) {
    auto entry = (text.empty() ? "" : ", ") + as_token(timing.name);
    if (timing.milliseconds) entry += fmt::format(";dur={:.3f}", *timing.milliseconds);
    if (!timing.description.empty()) entry += ";desc=" + as_quoted(timing.description);
    if (text.size() + entry.size() > longest_timing_field) break;
    text += entry;
  }
  return text;
}

std::shared_ptr<ServerTiming::Notes> ServerTiming::find(const Call& call) const {
  const auto found = open_.find(call.context.returns.get());
  return found == open_.end() ? nullptr : found->second;
}

void ServerTiming::begins(Call& call, Sight& sight) {
  if (sight.hop == Hop::front) {
    auto notes = std::make_shared<Notes>();
    if (call.context.returns) notes->returns = *call.context.returns;
    call.context.returns = std::shared_ptr<const jsonrpc::Luggage>(notes, &notes->returns);
    open_.emplace(&notes->returns, std::move(notes));
  } else if (auto notes = find(call)) {
    call.on_luggage = [notes = std::move(notes), server = sight.server](const jsonrpc::Luggage& luggage) {
      notes->behind[server] = told_by_server(server, luggage);
    };
  }
}

void ServerTiming::ended(Call& call, const Sight& sight) {
  const auto notes = find(call);
  if (!notes) return;
  if (sight.hop == Hop::server) {
    call.on_luggage = {};
    notes->hops.push_back(timing_of(sight.server, sight, "server"));
    std::ranges::move(notes->behind[sight.server], std::back_inserter(notes->hops));
    notes->behind.erase(sight.server);
    return;
  }
  open_.erase(&notes->returns);
  notes->hops.insert(notes->hops.begin(), timing_of("front", sight));
  auto returns = std::make_shared<jsonrpc::Luggage>(std::move(notes->returns));
  returns->emplace_back(protocol::header::server_timing, write_server_timing(notes->hops));
  call.context.returns = std::move(returns);
}

}  // namespace fairlead::gateway
