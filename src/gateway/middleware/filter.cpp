#include "gateway/middleware/filter.hpp"

#include <algorithm>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/change_result.hpp"
#include "gateway/middleware/caller_selection.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/model/backend_lookup.hpp"
#include "gateway/model/call_label.hpp"
#include "gateway/model/list_items.hpp"
#include "gateway/model/server_uri.hpp"
#include "gateway/model/task_extension.hpp"
#include "gateway/model/tool_page.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;

// A session needs these methods.
bool is_always_allowed(std::string_view method) {
  return method == protocol::Initialize::method || method == protocol::Discover::method ||
         method == protocol::Ping::method;
}

const std::vector<std::string>& patterns_for(const MatchPatterns& patterns, ListKind kind) {
  switch (kind) {
    case ListKind::tools: return patterns.tools;
    case ListKind::prompts: return patterns.prompts;
    case ListKind::skills: return patterns.skills;
    case ListKind::resources:
    case ListKind::templates: break;
  }
  return patterns.resources;
}

constexpr std::string_view skill_scheme = "skill://";

bool is_in_skill(const MatchInput& input) {
  return *input.kind == ListKind::skills || input.name.starts_with(skill_scheme);
}

// The directories of a URI, without the server in front. Any of them may be the directory of a skill.
std::vector<std::string> skill_names_in(const MatchInput& input) {
  auto uri = std::string(input.name);
  const auto server = backend_name_of(*input.next, *input.kind, input.name);
  if (server && has_server_name(uri, *server)) uri = remove_server_name(uri, *server);
  std::string_view path = uri;
  path.remove_prefix(std::min(path.size(), skill_scheme.size()));
  std::vector<std::string> names;
  for (auto end = path.find('/'); end != std::string_view::npos; end = path.find('/')) {
    names.emplace_back(path.substr(0, end));
    path.remove_prefix(end + 1);
  }
  // The URI of a directory has no file at its end.
  if (input.method == "resources/directory/read" && !path.empty()) names.emplace_back(path);
  return names;
}

bool matches_skill(const std::vector<std::string>& patterns, const MatchInput& input) {
  auto names = skill_names_in(input);
  // An entry is one skill, whatever skill contains it.
  if (*input.kind == ListKind::skills && !names.empty()) names.erase(names.begin(), std::prev(names.end()));
  return std::ranges::any_of(names, [&](const std::string& name) { return any_matches(patterns, name); });
}

ProtocolError fault_for(const std::optional<RequestTarget>& target) {
  if (!target) return ProtocolError::unknown_method;
  switch (target->kind) {
    case ListKind::tools: return ProtocolError::unknown_tool;
    case ListKind::prompts: return ProtocolError::prompt_missing;
    case ListKind::skills: return ProtocolError::invalid_params;
    case ListKind::resources:
    case ListKind::templates: break;
  }
  return ProtocolError::resource_denied;
}

class Filter final : public Middleware {
 public:
  Filter(std::string step, FilterRule rule, CallerPatterns callers)
      : step_(std::move(step)), rule_(std::move(rule)), callers_(std::move(callers)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (is_always_allowed(call.method) || !selects(callers_, call)) return next.call(call);
    const auto target = target_of(call);
    const auto verdict = judge(call, target, next);
    if (verdict == FilterVerdict::undecided) return call_after_listing(call, *target, next);
    if (verdict == FilterVerdict::reject) return refusal(call, target);
    const auto list = list_kind_of(call.method);
    if (!list) return next.call(call);
    return change_result(next.call(call), [this, kind = *list, &next](Result<Reply>& reply) {
      if (reply) reply->body = visible(std::move(reply->body), kind, next);
    });
  }

  std::optional<Explanation> explain(Call& call, Service& next) const override {
    if (!selects(callers_, call)) return Explanation{.summary = "is not for this caller"};
    const auto verdict = judge(call, target_of(call), next);
    if (verdict == FilterVerdict::undecided) {
      return Explanation{Explanation::Effect::unknown, "depends on the server of the target"};
    }
    const bool matches = (verdict == FilterVerdict::pass) == (step_ == "allow");
    const auto summary = fmt::format("{}, and {}", matches ? "matches" : "does not match",
                                     verdict == FilterVerdict::pass ? "passes" : "is refused and hidden");
    return Explanation{verdict == FilterVerdict::pass ? Explanation::Effect::passes : Explanation::Effect::refuses,
                       summary};
  }

  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal,
                                                   Service& next) override {
    // Which scopes the caller has is not known here; the call itself is decided later.
    if (callers_.all() && !is_usable(ListKind::tools, tool, next)) return {};
    return next.header_params(tool, principal);
  }

 private:
  FilterVerdict judge(const Call& call, const std::optional<RequestTarget>& target, const Service& next) const {
    if (!target) return rule_({.method = call.method, .next = &next});
    // A request without a readable target is refused: servers may interpret it in any way.
    if (!target->named.span) return FilterVerdict::reject;
    MatchInput input{.method = call.method, .kind = target->kind, .name = target->named.name, .next = &next};
    const auto verdict = rule_(input);
    if (verdict == FilterVerdict::reject || !is_task_request(call.method)) return verdict;
    // Who may not call the tool may not use its tasks.
    input.method = use_method(target->kind);
    const auto for_tool = rule_(input);
    return for_tool == FilterVerdict::pass ? verdict : for_tool;
  }

  bool is_usable(ListKind kind, std::string_view name, const Service& next) const {
    return rule_({.method = use_method(kind), .kind = kind, .name = name, .next = &next}) == FilterVerdict::pass;
  }

  Task<Result<Reply>> call_after_listing(Call& call, RequestTarget target, Service& next) {
    // The lists tell the owner; a resource may belong to a template.
    auto listing = on_behalf_of(call, list_info(target.kind).method);
    co_await next.call(listing);
    if (target.kind == ListKind::resources) {
      auto templates = on_behalf_of(call, list_info(ListKind::templates).method);
      co_await next.call(templates);
    }
    if (judge(call, target, next) != FilterVerdict::pass) co_return refusal(call, target);
    co_return co_await next.call(call);
  }

  json::Payload visible(json::Payload result, ListKind kind, const Service& next) const {
    return with_items(std::move(result), kind, [&](std::string_view item, const std::optional<std::string>& key) {
      if (!key || !is_usable(kind, *key, next)) return std::string();
      const auto page = kind == ListKind::tools ? page_of_tool(item) : std::nullopt;
      return page && !is_usable(ListKind::resources, *page, next) ? without_page(item) : std::string(item);
    });
  }

  Result<Reply> refusal(const Call& call, const std::optional<RequestTarget>& target) const {
    if (target && !target->named.span) {
      return refuse(ProtocolError::invalid_params, call.method + " has no valid target");
    }
    return refuse(fault_for(target), fmt::format("{} is not allowed here (step '{}')", call_label(call), step_),
                  target ? target->named.name : call.method);
  }

  std::string step_;
  FilterRule rule_;
  CallerPatterns callers_;
};

}  // namespace

std::unique_ptr<Middleware> make_filter(std::string step, FilterRule rule, CallerPatterns callers) {
  return std::make_unique<Filter>(std::move(step), std::move(rule), std::move(callers));
}

bool has_patterns_for(const MatchPatterns& patterns, const MatchInput& input) {
  const bool by_name = !patterns_for(patterns, *input.kind).empty();
  return by_name || (!patterns.skills.empty() && is_in_skill(input));
}

bool matches_target(const MatchPatterns& patterns, const MatchInput& input) {
  if (*input.kind != ListKind::skills && any_matches(patterns_for(patterns, *input.kind), input.name)) return true;
  return is_in_skill(input) && matches_skill(patterns.skills, input);
}

FilterVerdict matches_server(const MatchPatterns& patterns, const MatchInput& input) {
  const auto origin = backend_name_of(*input.next, *input.kind, input.name);
  if (!origin) return FilterVerdict::undecided;
  return any_matches(patterns.servers, *origin) ? FilterVerdict::pass : FilterVerdict::reject;
}

MatchPatterns read_match_patterns(MiddlewareArguments& arguments) {
  MatchPatterns patterns;
  patterns.tools = arguments.texts("tool");  // Includes arguments without a name.
  patterns.prompts = arguments.texts("prompt");
  patterns.resources = arguments.texts("resource");
  patterns.skills = arguments.texts("skill");
  patterns.servers = arguments.texts("server");
  patterns.methods = arguments.texts("method");
  patterns.callers = read_caller_patterns(arguments);
  const bool empty = patterns.tools.empty() && patterns.prompts.empty() && patterns.resources.empty() &&
                     patterns.skills.empty() && patterns.servers.empty() && patterns.methods.empty();
  if (empty) arguments.report_missing("tool");
  return patterns;
}

}  // namespace fairlead::gateway
