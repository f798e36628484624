#include <algorithm>
#include <charconv>
#include <fairlead/base/log_sinks.hpp>
#include <fmt/format.h>
#include <stop_token>
#include <utility>

#include "base/duration.hpp"
#include "cli/commands.hpp"
#include "cli/control_words.hpp"
#include "cli/output.hpp"
#include "cli/show.hpp"
#include "cli/tap_show.hpp"
#include "gateway/control/control_report.hpp"
#include "gateway/control/tap_filter.hpp"
#include "gateway/record/record_file.hpp"

namespace fairlead::cli {
namespace {

constexpr auto tap_examples = R"(  fairlead tap
  fairlead tap tool:search status:error
  fairlead tap server:git -method:notifications/* --full
  fairlead tap caller:alice -o alice.jsonl --for 10m
  fairlead tap --json --count 20 | jq .params)";

struct TapWords {
  ControlWords gateway = {};
  std::vector<std::string> filters = {};
  std::string output = {}, time = {}, count = {};
  bool force = false, json = false, full = false;
};

/// What the tool takes.
struct TapArguments {
  std::vector<std::string> filters = {};
  std::optional<std::uint64_t> count = {};
  std::optional<std::uint64_t> milliseconds = {};
};

/// What comes besides messages.
struct TapNews {
  std::optional<std::int64_t> listening = {};
  std::optional<std::uint64_t> lost = {};
};

int tap_refuses(std::string_view why) {
  complain(fmt::format("fairlead tap: {}; see fairlead tap --help", why));
  return exit_code::usage;
}

// `-tool:search` looks like an option, and is none.
void take_negated(std::vector<std::string>& words, std::vector<std::string>& filters) {
  const auto is_filter = [](const std::string& word) {
    const auto colon = word.find(':');
    return word.size() > 2 && word[0] == '-' && word[1] != '-' && colon != std::string::npos && colon > 2;
  };
  std::ranges::copy_if(words, std::back_inserter(filters), is_filter);
  std::erase_if(words, is_filter);
}

Result<TapArguments> tap_arguments(const TapWords& words) {
  TapArguments arguments{.filters = words.filters};
  if (auto filter = gateway::TapFilter::read(words.filters); !filter) return std::unexpected(filter.error());
  if (!words.count.empty()) {
    std::uint64_t count = 0;
    const auto* last = words.count.data() + words.count.size();
    const auto [end, error] = std::from_chars(words.count.data(), last, count);
    if (error != std::errc() || end != last || count == 0) {
      return fail(ErrorKind::invalid, "--count is a number of messages, at least 1");
    }
    arguments.count = count;
  }
  if (!words.time.empty()) {
    const auto time = read_duration(words.time);
    if (!time) return fail(ErrorKind::invalid, "--for " + time.error().message);
    const auto count = std::chrono::duration_cast<std::chrono::milliseconds>(*time).count();
    arguments.milliseconds = static_cast<std::uint64_t>(count);
  }
  return arguments;
}

/// Shows what comes, until nobody reads it any more. On the client's loop.
class TapOutput {
 public:
  TapOutput(const TapWords& words, std::shared_ptr<gateway::RecordFile> file)
      : json_(words.json), style_{.screen = screen(), .full = words.full}, file_(std::move(file)) {}

  void hear(const protocol::LoggingMessageParams& message) {
    const auto news = json::decode<TapNews>(message.data);
    if (news && news->listening) {
      return complain(fmt::format("fairlead: listening to gateway {}; Ctrl-C ends it", *news->listening));
    }
    if (news && news->lost) {
      return complain(
          fmt::format("fairlead: {} messages were left out: they came faster than they are read here", *news->lost));
    }
    const auto line = json::decode<gateway::TapLine>(message.data);
    if (!line) return;
    if (file_) file_->write(std::string(message.data.text()));
    const auto text = json_ ? std::string(message.data.text()) : show(*line, style_);
    if (print(text + "\n") != exit_code::done) unread_.request_stop();
  }

  std::stop_token unread() const { return unread_.get_token(); }

 private:
  bool json_;
  TapStyle style_;
  std::shared_ptr<gateway::RecordFile> file_;
  std::stop_source unread_;
};

int tap_ended(const Error& error, const TapOutput& output) {
  if (output.unread().stop_requested()) return exit_code::done;
  complain("fairlead tap: " + (has_ended(error) ? "the gateway has ended" : for_terminal(error.message)));
  return exit_code::failed;
}

int listen_to(const std::string& path, const TapArguments& arguments, TapOutput& output) {
  auto options = control_client();
  options.on_log = [&output](const protocol::LoggingMessageParams& message) { output.hear(message); };
  try {
    client::Client running(control_endpoint(path), std::move(options));
    running.set_log_level(protocol::LoggingLevel::info);
    client::CallOptions endless{.patience = session::Patience::endless()};
    auto call = running.async().call<gateway::TapSummary>("tap", arguments, std::move(endless));
    const auto summary = running.wait(std::move(call), output.unread());
    if (!summary) return tap_ended(summary.error(), output);
    if (summary->lost != 0) complain(fmt::format("fairlead: {} messages were left out", summary->lost));
    return exit_code::done;
  } catch (const client::Failure& failure) {
    return control_failed("tap", {.kind = ErrorKind::closed, .message = failure.error().message});
  }
}

}  // namespace

int run_tap(const Words& given) {
  Options options(
      "tap [filter...] [options]",
      "Shows what passes between clients and a gateway that runs, as it happens, with secrets hidden.\n"
      "A filter is <what>:<pattern>, where * stands for anything and a - before it for not; all must hold.\n"
      "<what> is tool, prompt, resource, method, server, status, caller, client, room, conversation, id, "
      "from or kind.",
      tap_examples);
  TapWords words;
  std::vector<std::string> negated;
  auto own = given.own;
  take_negated(own, negated);
  add_control_options(options, words.gateway);
  options.words("filter", words.filters, "what to show, as in tool:search status:error -caller:bob");
  options.text("-o,--output", words.output, "write whole messages to a file too, one JSON object a line", "<file>");
  options.flag("--force", words.force, "overwrite a file that is there");
  options.flag("--json", words.json, "print whole messages, one JSON object a line");
  options.flag("--full", words.full, "print bodies as long as they are");
  options.text("--for", words.time, "how long to listen; otherwise until Ctrl-C", "<duration>");
  options.text("--count", words.count, "end after so many messages", "<number>");
  if (const auto done = options.parse(std::move(own))) return *done;
  if (!given.child.empty()) return tap_refuses("it listens to a gateway that runs, so nothing follows --");
  words.filters.insert(words.filters.end(), negated.begin(), negated.end());
  const auto arguments = tap_arguments(words);
  if (!arguments) return tap_refuses(arguments.error().message);
  const auto path = find_control(words.gateway);
  if (!path) return control_failed("tap", path.error());
  StderrSink log(LogLevel::warning, LogTime::none);
  std::shared_ptr<gateway::RecordFile> file;
  if (!words.output.empty()) {
    auto created = gateway::RecordFile::create(words.output, words.force, log);
    if (!created) return tap_refuses(created.error().message);
    file = std::move(*created);
  }
  TapOutput output(words, std::move(file));
  return listen_to(*path, *arguments, output);
}

}  // namespace fairlead::cli
