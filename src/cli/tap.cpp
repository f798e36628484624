#include <algorithm>
#include <fairlead/base/log_sinks.hpp>
#include <fmt/format.h>
#include <stop_token>

#include "base/duration.hpp"
#include "base/parse_number.hpp"
#include "cli/commands.hpp"
#include "cli/control_options.hpp"
#include "cli/output.hpp"
#include "cli/tap_line_text.hpp"
#include "cli/to_text.hpp"
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

struct TapCommandOptions {
  ControlOptions gateway = {};
  std::vector<std::string> filters = {}, negated_filters = {};
  std::string output = {}, time = {}, count = {};
  bool force = false, json = false, full = false;
};

/// Arguments of the control socket's `tap` tool.
struct TapArguments {
  std::vector<std::string> filters = {};
  std::optional<std::uint64_t> count = {};
  std::optional<std::uint64_t> milliseconds = {};
};

/// Log data that is not a tapped message.
struct TapNotice {
  std::optional<std::int64_t> listening = {};
  std::optional<std::uint64_t> lost = {};
};

// Filters such as `-tool:search` look like options.
void extract_negated_filters(std::vector<std::string>& args, std::vector<std::string>& filters) {
  const auto is_filter = [](const std::string& word) {
    const auto colon = word.find(':');
    return word.size() > 2 && word[0] == '-' && word[1] != '-' && colon != std::string::npos && colon > 2;
  };
  std::ranges::copy_if(args, std::back_inserter(filters), is_filter);
  std::erase_if(args, is_filter);
}

Result<TapArguments> tap_arguments(const TapCommandOptions& flags) {
  TapArguments arguments{.filters = flags.filters};
  if (auto filter = gateway::TapFilter::read(flags.filters); !filter) return std::unexpected(filter.error());
  if (!flags.count.empty()) {
    arguments.count = parse_number<std::uint64_t>(flags.count);
    if (arguments.count.value_or(0) == 0) {
      return fail(ErrorKind::invalid, "--count: expected a number of messages, at least 1");
    }
  }
  if (!flags.time.empty()) {
    const auto time = read_duration(flags.time);
    if (!time) return fail(ErrorKind::invalid, "--for " + time.error().message);
    const auto count = std::chrono::duration_cast<std::chrono::milliseconds>(*time).count();
    arguments.milliseconds = static_cast<std::uint64_t>(count);
  }
  return arguments;
}

/// Prints messages until stdout is closed. Runs on the client's event loop.
class TapOutput {
 public:
  TapOutput(const TapCommandOptions& flags, std::shared_ptr<gateway::RecordFile> file)
      : json_(flags.json), style_{.screen = screen(), .full = flags.full}, file_(std::move(file)) {}

  void on_message(const protocol::LoggingMessageParams& message) {
    const auto news = json::decode<TapNotice>(message.data);
    if (news && news->listening) {
      return print_stderr(fmt::format("fairlead: listening to gateway {}; press Ctrl-C to stop", *news->listening));
    }
    if (news && news->lost) {
      return print_stderr(
          fmt::format("fairlead: {} messages were dropped, because this program reads too slowly", *news->lost));
    }
    const auto line = json::decode<gateway::TapLine>(message.data);
    if (!line) return;
    if (file_) file_->write(std::string(message.data.text()));
    const auto text = json_ ? std::string(message.data.text()) : to_text(*line, style_);
    if (print(text + "\n") != exit_code::done) output_closed_.request_stop();
  }

  std::stop_token output_closed() const { return output_closed_.get_token(); }

 private:
  bool json_;
  TapStyle style_;
  std::shared_ptr<gateway::RecordFile> file_;
  std::stop_source output_closed_;
};

int report_tap_end(const Error& error, const TapOutput& output) {
  if (output.output_closed().stop_requested()) return exit_code::done;
  const auto why = gateway_has_stopped(error) ? "the gateway has stopped" : escape_for_terminal(error.message);
  return report_error("tap", why, exit_code::failed);
}

int stream_tap(const std::string& path, const TapArguments& arguments, TapOutput& output) {
  auto options = control_client_options();
  options.on_log = [&output](const protocol::LoggingMessageParams& message) { output.on_message(message); };
  try {
    client::Client running(control_endpoint(path), std::move(options));
    running.set_log_level(protocol::LoggingLevel::info);
    client::CallOptions endless{.timeouts = session::Timeouts::endless()};
    auto call = running.async().call<gateway::TapSummary>("tap", arguments, std::move(endless));
    const auto summary = running.wait(std::move(call), output.output_closed());
    if (!summary) return report_tap_end(summary.error(), output);
    if (summary->lost != 0) print_stderr(fmt::format("fairlead: {} messages were dropped", summary->lost));
    return exit_code::done;
  } catch (const client::Failure& failure) {
    return report_control_error("tap", {.kind = ErrorKind::closed, .message = failure.error().message});
  }
}

int run_tap(TapCommandOptions flags) {
  flags.filters.insert(flags.filters.end(), flags.negated_filters.begin(), flags.negated_filters.end());
  const auto arguments = tap_arguments(flags);
  if (!arguments) return usage_error("tap", arguments.error().message);
  const auto path = find_control_socket(flags.gateway);
  if (!path) return report_control_error("tap", path.error());
  StderrSink log(LogLevel::warning, LogTime::none);
  std::shared_ptr<gateway::RecordFile> file;
  if (!flags.output.empty()) {
    auto created = gateway::RecordFile::create(flags.output, flags.force, log);
    if (!created) return usage_error("tap", created.error().message);
    file = std::move(*created);
  }
  TapOutput output(flags, std::move(file));
  return stream_tap(*path, *arguments, output);
}

}  // namespace

RunCommand declare_tap(Options& options) {
  auto flags = std::make_shared<TapCommandOptions>();
  options.describe(
      "tap [filter...] [options]",
      "Shows the messages between clients and a running gateway as they pass, with secrets redacted.\n"
      "A filter is <field>:<pattern>; * matches anything, and a leading - negates. All filters must match.\n"
      "Fields: tool, prompt, resource, method, server, status, caller, client, endpoint, session, id, from, kind.",
      tap_examples);
  options.before_parsing([flags](Args& args) {
    extract_negated_filters(args.own, flags->negated_filters);
    return std::nullopt;
  });
  add_control_options(options, flags->gateway);
  options.positionals("filter", flags->filters, "messages to show, as in tool:search status:error -caller:bob");
  options.text("-o,--output", flags->output, "also write complete messages to a file, one JSON object per line",
               "<file>");
  options.flag("--force", flags->force, "overwrite an existing file");
  options.flag("--json", flags->json, "print complete messages, one JSON object per line");
  options.flag("--full", flags->full, "do not truncate bodies");
  options.text("--for", flags->time, "how long to listen (default: until Ctrl-C)", "<duration>");
  options.text("--count", flags->count, "stop after this many messages", "<number>");
  options.no_server_command("shows a running gateway and takes no server command after --");
  return [flags] { return run_tap(*flags); };
}

}  // namespace fairlead::cli
