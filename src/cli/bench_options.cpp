#include "cli/bench_options.hpp"

#include <fmt/format.h>

#include "base/parse_number.hpp"

namespace fairlead::cli {
namespace {

constexpr unsigned most_connections = 20'000;
constexpr double most_calls = 1e9;

/// Reads numeric options one by one and keeps the first error.
class NumberReader {
 public:
  template <class Number>
  void read(std::string_view option, const std::string& text, double least, double most, Number& target) {
    const auto number = parse_number<Number>(text);
    const auto value = static_cast<double>(number.value_or(Number{}));
    if (number && value >= least && value <= most) {
      target = *number;
    } else if (!error_) {
      error_ = {ErrorKind::invalid, fmt::format("{} '{}': expected a number from {} to {}", option, text, least, most)};
    }
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char each : text) {
    if (each == ',') {
      parts.emplace_back();
    } else {
      parts.back() += each;
    }
  }
  return parts;
}

}  // namespace

void add_bench_options(Options& options, BenchOptions& flags) {
  options.positionals("arguments", flags.arguments,
                      "tool arguments as name=value or name:=json; {id} is replaced by the call number");
  options.text("--tool", flags.tool, "the tool to call (default echo)", "<name>");
  options.text("--connections", flags.connections,
               "numbers of parallel connections, one run for each (default 1,16,64)", "<n,...>");
  options.text("--in-flight", flags.in_flight, "concurrent calls per WebSocket or pipe (default 1)", "<n>");
  options.text("--seconds", flags.seconds, "duration of a run (default 2)", "<seconds>");
  options.text("--warm", flags.warm, "warm-up time before a run (default 0.3)", "<seconds>");
  options.text("--calls", flags.calls, "end a run after this many calls", "<n>");
  options.flag("--stateless", flags.stateless, "use stateless requests, without a handshake");
  options.text("--progress", flags.progress, "request progress and expect this many notifications per call", "<n>");
  options.text("--against", flags.against, "a second server to compare with", "<name|url>");
  options.text("--idle", flags.idle, "instead: open this many idle sessions and measure their memory", "<n>");
  options.text("--hold", flags.hold, "how long to keep them open (default 1)", "<seconds>");
  options.text("--starts", flags.starts, "instead: start the command this often and measure the start-up time", "<n>");
  options.text("--pid", flags.process, "the server's process id, if it is not the process that listens at the URL",
               "<pid>");
  options.flag("--unchecked", flags.unchecked, "do not list the server's tools first");
  options.flag("--json", flags.json, "print one JSON document instead of text");
  add_url_options(options, flags.url);
  add_config_options(options, flags.log);
}

Result<BenchSettings> resolve_bench_settings(const BenchOptions& flags) {
  BenchSettings choice;
  auto& plan = choice.plan;
  NumberReader reader;
  for (const auto& part : split_at_commas(flags.connections)) {
    reader.read("--connections", part, 1, most_connections, choice.connections.emplace_back());
  }
  std::uint64_t calls = 0;
  reader.read("--seconds", flags.seconds, 0.01, 3600, plan.limits.seconds);
  reader.read("--warm", flags.warm, 0, 60, plan.warm_seconds);
  reader.read("--calls", flags.calls, 0, most_calls, calls);
  reader.read("--in-flight", flags.in_flight, 1, 10'000, plan.style.in_flight);
  reader.read("--idle", flags.idle, 0, 100'000, choice.idle);
  reader.read("--hold", flags.hold, 0, 3600, choice.hold_seconds);
  reader.read("--starts", flags.starts, 0, 1000, choice.starts);
  if (!flags.process.empty()) reader.read("--pid", flags.process, 1, 1 << 22, plan.server.emplace());
  if (!flags.progress.empty()) {
    reader.read("--progress", flags.progress, 0, 1e6, plan.style.progress.emplace());
    plan.style.call.progress = true;
  }
  if (reader.error()) return std::unexpected(*reader.error());
  // With --calls, the run ends after that many calls, however long they take.
  if (calls > 0) {
    plan.limits.calls = calls;
    plan.limits.seconds = 3600;
  }
  plan.style.call.tool = flags.tool;
  plan.style.revision = flags.stateless ? &protocol::newest() : &protocol::newest_handshake();
  return choice;
}

}  // namespace fairlead::cli
