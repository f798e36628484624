#include <fairlead/gateway/search.hpp>

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/middleware/ranking.hpp"
#include "gateway/middleware/tool_result.hpp"
#include "gateway/model/list_items.hpp"
#include "gateway/model/request_target.hpp"
#include "gateway/model/task_extension.hpp"

namespace fairlead::gateway {
namespace {

struct FoundTool {
  std::string name;
  std::string description;
  std::string definition;  // As sent by its server; empty if not requested.
};

std::string text_member(std::string_view object, std::string_view name) {
  const auto text = json::member_of(object, name);
  return text.starts_with('"') ? json::decode<std::string>(text).value_or("") : std::string();
}

class Search final : public Middleware {
 public:
  explicit Search(SearchOptions options)
      : options_(std::move(options)),
        find_(options_.prefix + "find_tools"),
        describe_(options_.prefix + "describe_tool"),
        call_(options_.prefix + "call_tool") {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (call.method == protocol::ListTools::method) return listed(call, next);
    if (call.method != protocol::CallTool::method) return next.call(call);
    const auto tool = string_member(call.params, "name");
    if (tool && tool->name == find_) return find(call, next);
    if (tool && tool->name == describe_) return describe(call, next);
    if (tool && tool->name == call_) return call_found(call, next);
    return next.call(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    const auto tool = string_member(call.params, "name");
    if (!tool) return std::nullopt;
    if (tool->name == find_ || tool->name == describe_ || tool->name == call_) {
      return Explanation{Explanation::Effect::answers, "answers this tool itself"};
    }
    if (any_matches(options_.keep, tool->name)) return Explanation{.summary = "keeps it in the list"};
    return Explanation{.summary = fmt::format("hides it behind {}; its name can still be called", find_)};
  }

  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal,
                                                   Service& next) override {
    if (tool == find_ || tool == describe_ || tool == call_) return {};
    return next.header_params(tool, principal);
  }

 private:
  Task<Result<Reply>> listed(Call& call, Service& next) {
    const DefinitionFilter kept = [&](const std::string& name) { return any_matches(options_.keep, name); };
    auto tools = co_await all_tools(call, next, kept);
    if (!tools) co_return std::unexpected(std::move(tools.error()));
    std::string body = R"({"tools":[)" + own_tools(tools->size());
    for (const auto& tool : *tools) {
      if (!tool.definition.empty()) body += "," + tool.definition;
    }
    co_return Reply{.body = json::Payload::trusted(body + "]}")};
  }

  /// Selects tools whose definitions are kept, since all together may be large.
  using DefinitionFilter = std::function<bool(const std::string& name)>;

  Task<Result<std::vector<FoundTool>>> all_tools(const Call& call, Service& next, DefinitionFilter wanted) {
    std::vector<FoundTool> all;
    const auto take = [&](std::string_view item, const std::string& name) {
      all.push_back({name, text_member(item, "description"), wanted(name) ? std::string(item) : ""});
    };
    const std::function look = [&](const json::Payload& page) { for_each_item(page, ListKind::tools, take); };
    auto listed_all = co_await for_each_page(call, ListKind::tools, next, look);
    if (!listed_all) co_return std::unexpected(std::move(listed_all.error()));
    co_return all;
  }

  Task<Result<Reply>> find(Call& call, Service& next) {
    const auto arguments = json::member_of(call.params.text(), "arguments");
    const auto query = text_member(arguments, "query");
    if (query.empty()) co_return tool_error_result("query: describe in a few words what the tool should do");
    const auto wanted = json::member_of(arguments, "limit");
    const auto number = wanted.empty() ? 0 : json::decode<std::int64_t>(wanted).value_or(0);
    const auto most = number > 0 ? std::min(static_cast<std::size_t>(number), options_.limit) : options_.limit;
    const DefinitionFilter none = [](const std::string&) { return false; };
    auto tools = co_await all_tools(call, next, none);
    if (!tools) co_return std::unexpected(std::move(tools.error()));
    std::vector<std::string> texts;
    // The name counts twice.
    for (const auto& tool : *tools) texts.push_back(tool.name + " " + tool.name + " " + tool.description);
    auto best = ranked(query, texts);
    best.resize(std::min(best.size(), most));
    co_return found(*tools, best);
  }

  Reply found(const std::vector<FoundTool>& tools, const std::vector<std::size_t>& best) const {
    if (best.empty()) return text_result("no tool matches; try other words", R"({"tools":[]})");
    std::string text, structured = R"({"tools":[)";
    for (const auto index : best) {
      const auto& tool = tools[index];
      text += fmt::format("{}: {}\n", tool.name, tool.description);
      if (!structured.ends_with('[')) structured += ',';
      json::ObjectWriter(structured).text("name", tool.name).text("description", tool.description);
    }
    text += fmt::format("Use {} for the arguments of a tool and {} to call it.", describe_, call_);
    return text_result(text, structured + "]}");
  }

  Task<Result<Reply>> describe(Call& call, Service& next) {
    const auto name = text_member(json::member_of(call.params.text(), "arguments"), "name");
    const DefinitionFilter this_one = [&](const std::string& each) { return each == name; };
    auto tools = co_await all_tools(call, next, this_one);
    if (!tools) co_return std::unexpected(std::move(tools.error()));
    const auto tool = std::ranges::find(*tools, name, &FoundTool::name);
    if (tool == tools->end()) {
      co_return tool_error_result(fmt::format("unknown tool '{}'; use {} to find names", name, find_));
    }
    co_return text_result(tool->definition, tool->definition);
  }

  Task<Result<Reply>> call_found(Call& call, Service& next) {
    const auto given = json::member_of(call.params.text(), "arguments");
    const auto name = json::member_of(given, "name");
    const auto arguments = json::member_of(given, "arguments");
    if (!name.starts_with('"')) co_return tool_error_result("name: give the name of the tool to call");
    if (!arguments.empty() && !arguments.starts_with('{')) co_return tool_error_result("arguments: give an object");
    json::ObjectEdit params(call.params.text());
    params.set("name", std::string(name)).set("arguments", arguments.empty() ? "{}" : std::string(arguments));
    auto inner = call;
    inner.params = json::Payload::trusted(params.text());
    // The handle of a task would name call_tool, and rules for the tool could not apply to it.
    auto caller = std::make_shared<protocol::ClientIdentity>(*call.context.caller);
    remove_tasks_extension(caller->capabilities.extensions);
    inner.context.caller = std::move(caller);
    co_return co_await next.call(inner);
  }

  std::string own_tools(std::size_t count) const {
    return fmt::format(
        R"({{"name":"{0}","description":"Finds tools by what they do. {3} tools are here; only these are listed.",)"
        R"("inputSchema":{{"type":"object","properties":{{"query":{{"type":"string","description":"What it should do, )"
        R"(in a few words"}},"limit":{{"type":"integer","minimum":1,"maximum":{4}}}}},"required":["query"]}},)"
        R"("annotations":{{"readOnlyHint":true}}}},)"
        R"({{"name":"{1}","description":"Tells what arguments a tool takes.","inputSchema":{{"type":"object",)"
        R"("properties":{{"name":{{"type":"string"}}}},"required":["name"]}},"annotations":{{"readOnlyHint":true}}}},)"
        R"({{"name":"{2}","description":"Calls a tool that was found.","inputSchema":{{"type":"object","properties":)"
        R"({{"name":{{"type":"string"}},"arguments":{{"type":"object"}}}},"required":["name"]}}}})",
        find_, describe_, call_, count, options_.limit);
  }

  SearchOptions options_;
  std::string find_;
  std::string describe_;
  std::string call_;
};

}  // namespace

std::unique_ptr<Middleware> search(SearchOptions options) {
  return std::make_unique<Search>(std::move(options));
}

Registry::Entry search_entry() {
  return {.usage = "search(limit=10, keep=read_*, prefix=x_)",
          .summary = "Replaces a long tool list by three tools that find, describe and call the others.",
          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t most = 100;
            SearchOptions options;
            if (const auto limit = arguments.number("limit", 1, most)) options.limit = static_cast<std::size_t>(*limit);
            options.prefix = arguments.text("prefix").value_or("");
            const bool fits = options.prefix.find_first_not_of(
                                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-") == std::string::npos;
            if (!fits) arguments.report_error("prefix", "expected letters, digits, _ and - only");
            options.keep = arguments.texts("keep");
            return search(std::move(options));
          }};
}

}  // namespace fairlead::gateway
