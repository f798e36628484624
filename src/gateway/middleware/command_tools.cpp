#include <fairlead/gateway/command_tools.hpp>

#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "base/async_event.hpp"
#include "base/duration.hpp"
#include "base/scope_exit.hpp"
#include "config/shell_words.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/program_arguments.hpp"
#include "gateway/middleware/tool_result.hpp"
#include "gateway/model/backend_list.hpp"
#include "gateway/model/list_items.hpp"
#include "gateway/model/request_target.hpp"

namespace fairlead::gateway {
namespace {

constexpr Duration time_for_help = std::chrono::seconds{10};

class CommandTools final : public Middleware {
 public:
  CommandTools(CommandToolsOptions options, EventLoop loop)
      : options_(std::move(options)), loop_(std::move(loop)), description_ready_(loop_.executor) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (call.method == protocol::ListTools::method) return listed(call, next);
    if (call.method == protocol::Initialize::method || call.method == protocol::Discover::method) {
      return with_tools_capability(call, next);
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
    if (command == nullptr) return Explanation{.summary = "has no program of this name"};
    return Explanation{Explanation::Effect::answers,
                       fmt::format("runs {} and does not call a server", command->command.front())};
  }

 private:
  const CommandTool* find(std::string_view tool) const {
    const auto found = std::ranges::find(options_.commands, tool, &CommandTool::tool);
    return found == options_.commands.end() ? nullptr : &*found;
  }
  const CommandTool* command_of(const Call& call) const {
    const auto tool = string_member(call.params, "name");
    return tool ? find(tool->name) : nullptr;
  }

  Task<Result<Reply>> with_tools_capability(Call& call, Service& next) {
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
    const bool is_first = !string_member(call.params, "cursor");
    auto reply = co_await next.call(call);
    // The programs are listed even if the server has no tools.
    if (!reply && is_first && is_unknown_method(reply.error())) reply = Reply{.body = json::Payload::trusted("{}")};
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
      // Concurrent list requests run each program once.
      while (describing_ > 0 && !described_.contains(command.tool)) co_await description_ready_.wait();
      if (!described_.contains(command.tool)) {
        ++describing_;
        const ScopeExit ready([this] {
          --describing_;
          description_ready_.notify();
        });
        auto help = co_await help_of(command);
        described_[command.tool] = tool_of_command(command.tool, command.command.front(), help);
      }
      all += (all.empty() ? "" : ",") + described_[command.tool];
    }
    co_return all;
  }

  // `--help` first: for `ls` and others -h has another meaning.
  Task<std::string> help_of(const CommandTool& command) {
    constexpr std::size_t shortest = 10;
    std::string best;
    for (const auto* option : {"--help", "-h"}) {
      auto words = command.command;
      words.emplace_back(option);
      auto output = co_await run_process(loop_, std::move(words), time_for_help);
      if (!output) continue;
      auto& help = output->out.size() > shortest ? output->out : output->errors;
      if (best.empty() && help.size() > shortest) best = std::move(help);
      if (!best.empty() && output->status == transport::ExitStatus()) break;
    }
    co_return best;
  }

  Task<Result<Reply>> run(Call& call, const CommandTool& command) {
    auto words = command_arguments(json::member_of(call.params.text(), "arguments"));
    if (!words) co_return tool_error_result(words.error().message);
    auto whole = command.command;
    whole.insert(whole.end(), words->begin(), words->end());
    if (running_ >= options_.processes) {
      co_return tool_error_result(fmt::format(
          "Error executing {}: busy, {} programs are running already. Try again later (cli: processes sets the limit)",
          command.tool, running_));
    }
    ++running_;
    const ScopeExit ended([this] { --running_; });
    const auto limit = std::min(options_.timeout, call.timeouts.total);
    const auto output = co_await run_process(loop_, std::move(whole), limit);
    if (output) co_return text_result(output_text(*output));
    if (output.error().kind == ErrorKind::cancelled) co_return std::unexpected(output.error());
    const auto why = output.error().kind == ErrorKind::timeout ? "it took longer than " + write_duration(limit)
                                                               : output.error().message;
    co_return tool_error_result(fmt::format("Error executing {}: {}", command.tool, why));
  }

  CommandToolsOptions options_;
  EventLoop loop_;
  std::map<std::string, std::string> described_;
  std::size_t running_ = 0;
  std::size_t describing_ = 0;
  AsyncEvent description_ready_;
};

void add_command(MiddlewareArguments& arguments, CommandToolsOptions& options, std::string tool,
                 std::string_view line) {
  const auto words = config::split_words(line);
  if (!words || words->empty()) {
    return arguments.report_error("command", fmt::format("'{}' is not a command", line));
  }
  CommandTool command{.tool = std::move(tool), .command = {}};
  for (const auto& word : *words) command.command.push_back(word.text);
  if (command.tool.empty()) command.tool = std::filesystem::path(command.command.front()).filename();
  options.commands.push_back(std::move(command));
}

}  // namespace

std::unique_ptr<Middleware> command_tools(CommandToolsOptions options, EventLoop loop) {
  return std::make_unique<CommandTools>(std::move(options), std::move(loop));
}

Registry::Entry cli_entry() {
  return {.usage = "cli(ls, disk=\"df -h\", timeout=30s, processes=16)",
          .summary = "Adds command-line programs to the tools.",
          .make = [](MiddlewareArguments& arguments, EventLoop loop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t max_processes = 1'000;
            CommandToolsOptions options;
            for (const auto& line : arguments.texts("command")) add_command(arguments, options, "", line);
            options.timeout = arguments.duration("timeout").value_or(options.timeout);
            if (const auto processes = arguments.number("processes", 1, max_processes)) {
              options.processes = static_cast<std::size_t>(*processes);
            }
            for (const auto& [tool, line] : arguments.pairs()) add_command(arguments, options, tool, line);
            if (options.commands.empty()) arguments.report_missing("command");
            return command_tools(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway
