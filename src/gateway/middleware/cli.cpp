#include <fairlead/gateway/cli.hpp>

#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "base/bell.hpp"
#include "base/duration.hpp"
#include "gateway/config/words.hpp"
#include "gateway/merge/member_list.hpp"
#include "gateway/middleware/command_line.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/items.hpp"
#include "gateway/middleware/subject.hpp"
#include "gateway/middleware/tool_answer.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

constexpr Duration time_for_help = std::chrono::seconds{10};

class Cli final : public Middleware {
 public:
  Cli(CliOptions options, Loop loop)
      : options_(std::move(options)), loop_(std::move(loop)), described_one_(loop_.executor) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (call.method == protocol::ListTools::method) return listed(call, next);
    if (call.method == protocol::Initialize::method || call.method == protocol::Discover::method) {
      return introduced(call, next);
    }
    const auto* command = call.method == protocol::CallTool::method ? command_of(call) : nullptr;
    return command != nullptr ? run(call, *command) : next.call(call);
  }

  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal,
                                                   Service& next) override {
    return find(tool) != nullptr ? std::vector<protocol::HeaderParam>() : next.header_params(tool, principal);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    const auto* command = command_of(call);
    if (command == nullptr) return Explanation{.says = "has no program of that name"};
    return Explanation{Explanation::Effect::answers,
                       fmt::format("runs {} here, and asks no server", command->command.front())};
  }

 private:
  /// Counts something as long as it is under way, and tells of its end.
  struct UnderWay {
    UnderWay(std::size_t& counted, Bell* told) : count(counted), bell(told) { ++count; }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;
    ~UnderWay() {
      --count;
      if (bell != nullptr) bell->ring();
    }
    std::size_t& count;
    Bell* bell;
  };

  const CliCommand* find(std::string_view tool) const {
    const auto found = std::ranges::find(options_.commands, tool, &CliCommand::tool);
    return found == options_.commands.end() ? nullptr : &*found;
  }
  const CliCommand* command_of(const Call& call) const {
    const auto tool = named_by(call.params, "name");
    return tool ? find(tool->name) : nullptr;
  }

  Task<Result<Reply>> introduced(Call& call, Service& next) {
    auto reply = co_await next.call(call);
    if (!reply) co_return reply;
    json::ObjectEdit server(reply->body.text());
    json::ObjectEdit capabilities(server.get("capabilities"));
    if (!capabilities.get("tools").empty()) co_return reply;
    capabilities.set("tools", "{}");
    reply->body = json::Payload::trusted(server.set("capabilities", capabilities.text()).text());
    co_return reply;
  }

  Task<Result<Reply>> listed(Call& call, Service& next) {
    const bool is_first = !named_by(call.params, "cursor");
    auto reply = co_await next.call(call);
    // A server that knows no tools has these all the same.
    if (!reply && is_first && says_unknown_method(reply.error())) reply = Reply{.body = json::Payload::trusted("{}")};
    if (!reply) co_return reply;
    reply->body = with_items(std::move(reply->body), ListKind::tools, [&](std::string_view item, const auto& key) {
      return key && find(*key) != nullptr ? std::string() : std::string(item);
    });
    if (is_first) {
      const auto own = co_await own_tools();
      json::ObjectEdit result(reply->body.text());
      std::string tools(result.get("tools"));
      if (!tools.starts_with('[')) tools = "[]";
      const bool is_empty = tools.find_first_not_of(" \t\r\n", 1) == tools.size() - 1;
      tools.insert(tools.size() - 1, (is_empty ? "" : ",") + own);
      reply->body = json::Payload::trusted(result.set("tools", std::move(tools)).text());
    }
    co_return reply;
  }

  Task<std::string> own_tools() {
    std::string all;
    for (const auto& command : options_.commands) {
      // However many ask for the list at once, one of them runs the program.
      while (describing_ > 0 && !described_.contains(command.tool)) co_await described_one_.wait();
      if (!described_.contains(command.tool)) {
        const UnderWay describing(describing_, &described_one_);
        auto help = co_await help_of(command);
        described_[command.tool] = tool_of_command(command.tool, command.command.front(), help);
      }
      all += (all.empty() ? "" : ",") + described_[command.tool];
    }
    co_return all;
  }

  // Not the other way round: to `ls` and many others -h means something else.
  Task<std::string> help_of(const CliCommand& command) {
    constexpr std::size_t shortest = 10;
    std::string best;
    for (const auto* option : {"--help", "-h"}) {
      auto words = command.command;
      words.emplace_back(option);
      auto output = co_await run_program(loop_, std::move(words), time_for_help);
      if (!output) continue;
      auto& help = output->out.size() > shortest ? output->out : output->errors;
      if (best.empty() && help.size() > shortest) best = std::move(help);
      if (!best.empty() && output->status == transport::ExitStatus()) break;
    }
    co_return best;
  }

  Task<Result<Reply>> run(Call& call, const CliCommand& command) {
    auto words = words_for(json::member_of(call.params.text(), "arguments"));
    if (!words) co_return tool_failure_answer(words.error().message);
    auto whole = command.command;
    whole.insert(whole.end(), words->begin(), words->end());
    if (running_ >= options_.processes) {
      co_return tool_failure_answer(fmt::format(
          "Error executing {}: busy, {} programs are running already. Try again later (cli: processes sets the limit)",
          command.tool, running_));
    }
    const UnderWay running(running_, nullptr);
    const auto limit = std::min(options_.timeout, call.patience.cap);
    const auto output = co_await run_program(loop_, std::move(whole), limit);
    if (output) co_return tool_answer(told(*output));
    if (output.error().kind == ErrorKind::cancelled) co_return std::unexpected(output.error());
    const auto why = output.error().kind == ErrorKind::timeout ? "it took longer than " + write_duration(limit)
                                                               : output.error().message;
    co_return tool_failure_answer(fmt::format("Error executing {}: {}", command.tool, why));
  }

  CliOptions options_;
  Loop loop_;
  std::map<std::string, std::string> described_;
  std::size_t running_ = 0;
  std::size_t describing_ = 0;
  Bell described_one_;
};

void add_command(Arguments& arguments, CliOptions& options, std::string tool, std::string_view line) {
  const auto words = split_words(line);
  if (!words || words->empty()) {
    return arguments.wrong("command", fmt::format("'{}' is no command", line));
  }
  CliCommand command{.tool = std::move(tool), .command = {}};
  for (const auto& word : *words) command.command.push_back(word.text);
  if (command.tool.empty()) command.tool = std::filesystem::path(command.command.front()).filename();
  options.commands.push_back(std::move(command));
}

}  // namespace

std::unique_ptr<Middleware> cli(CliOptions options, Loop loop) {
  return std::make_unique<Cli>(std::move(options), std::move(loop));
}

Registry::Entry cli_entry() {
  return {.usage = "cli(ls, disk=\"df -h\", timeout=30s, processes=16)",
          .summary = "Adds command-line programs to the tools.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t most_processes = 1'000;
            CliOptions options;
            for (const auto& line : arguments.texts("command")) add_command(arguments, options, "", line);
            options.timeout = arguments.duration("timeout").value_or(options.timeout);
            if (const auto processes = arguments.number("processes", 1, most_processes)) {
              options.processes = static_cast<std::size_t>(*processes);
            }
            for (const auto& [tool, line] : arguments.pairs()) add_command(arguments, options, tool, line);
            if (options.commands.empty()) arguments.needs("command");
            return cli(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway
