#include "cli/bench_words.hpp"

#include <charconv>
#include <fmt/format.h>

namespace fairlead::cli {
namespace {

constexpr unsigned most_connections = 20'000;
constexpr double most_calls = 1e9;

template <class Number>
Result<Number> read_number(std::string_view option, std::string_view text, double least, double most) {
  Number number = {};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (whole && static_cast<double>(number) >= least && static_cast<double>(number) <= most) return number;
  return fail(ErrorKind::invalid, fmt::format("{} '{}': write a number from {} to {}", option, text, least, most));
}

/// Reads one option after the other; the first that is wrong is what the user hears of.
class NumberReader {
 public:
  template <class Number>
  void read(std::string_view option, const std::string& text, double least, double most, Number& target) {
    if (trouble_) return;
    const auto number = read_number<Number>(option, text, least, most);
    if (number) {
      target = *number;
    } else {
      trouble_ = number.error();
    }
  }
  const std::optional<Error>& trouble() const { return trouble_; }

 private:
  std::optional<Error> trouble_;
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

void add_bench_options(Options& options, BenchWords& words) {
  options.words("arguments", words.arguments, "name=value or name:=json for the tool; {id} becomes the call's number");
  options.text("--tool", words.tool, "the tool to call (default echo)", "<name>");
  options.text("--connections", words.connections, "how many at once, one run for each (default 1,16,64)", "<n,...>");
  options.text("--in-flight", words.in_flight, "calls under way on each WebSocket or pipe (default 1)", "<n>");
  options.text("--seconds", words.seconds, "how long a run takes (default 2)", "<seconds>");
  options.text("--warm", words.warm, "how long to call before that (default 0.3)", "<seconds>");
  options.text("--calls", words.calls, "end a run after so many calls", "<n>");
  options.flag("--stateless", words.stateless, "every request for itself, without a handshake");
  options.text("--progress", words.progress, "ask for progress, and expect so many notifications a call", "<n>");
  options.text("--against", words.against, "a second server, to show what the first one adds", "<url>");
  options.text("--idle", words.idle, "instead: open so many sessions with a stream, and see what they weigh", "<n>");
  options.text("--hold", words.hold, "how long to hold them (default 1)", "<seconds>");
  options.text("--starts", words.starts, "instead: start the command so often, and see how long that takes", "<n>");
  options.text("--pid", words.process, "the server's process, where it is not who listens at the URL", "<pid>");
  options.flag("--unchecked", words.unchecked, "begin without a look at the server's tools");
  options.flag("--json", words.json, "print one JSON document instead of text for people");
  add_url_options(options, words.url);
}

Result<BenchChoice> choose_bench(const BenchWords& words) {
  BenchChoice choice;
  auto& plan = choice.plan;
  NumberReader reader;
  for (const auto& part : split_at_commas(words.connections)) {
    reader.read("--connections", part, 1, most_connections, choice.connections.emplace_back());
  }
  std::uint64_t calls = 0;
  reader.read("--seconds", words.seconds, 0.01, 3600, plan.bounds.seconds);
  reader.read("--warm", words.warm, 0, 60, plan.warm_seconds);
  reader.read("--calls", words.calls, 0, most_calls, calls);
  reader.read("--in-flight", words.in_flight, 1, 10'000, plan.style.in_flight);
  reader.read("--idle", words.idle, 0, 100'000, choice.idle);
  reader.read("--hold", words.hold, 0, 3600, choice.hold_seconds);
  reader.read("--starts", words.starts, 0, 1000, choice.starts);
  if (!words.process.empty()) reader.read("--pid", words.process, 1, 1 << 22, plan.server.emplace());
  if (!words.progress.empty()) {
    reader.read("--progress", words.progress, 0, 1e6, plan.style.progress.emplace());
    plan.style.call.progress = true;
  }
  if (reader.trouble()) return std::unexpected(*reader.trouble());
  // Whoever counts calls wants that many, however long they take.
  if (calls > 0) {
    plan.bounds.calls = calls;
    plan.bounds.seconds = 3600;
  }
  plan.style.call.tool = words.tool;
  plan.style.revision = words.stateless ? &protocol::newest() : &protocol::newest_handshake();
  return choice;
}

}  // namespace fairlead::cli
