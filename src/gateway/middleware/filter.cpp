#include "gateway/middleware/filter.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/asked_for.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/middleware/items.hpp"
#include "gateway/origins.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Fault;
using session::Call;
using session::Reply;
using session::Service;

// Without these there is no conversation.
bool is_for_all(std::string_view method) {
  return method == protocol::Initialize::method || method == protocol::Discover::method ||
         method == protocol::Ping::method;
}

Fault fault_for(const std::optional<Subject>& subject) {
  if (!subject) return Fault::unknown_method;
  switch (subject->kind) {
    case ListKind::tools: return Fault::unknown_tool;
    case ListKind::prompts: return Fault::prompt_missing;
    case ListKind::resources:
    case ListKind::templates: break;
  }
  return Fault::resource_denied;
}

class Filter final : public Middleware {
 public:
  Filter(std::string step, Rule rule) : step_(std::move(step)), rule_(std::move(rule)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (is_for_all(call.method)) return next.call(call);
    const auto subject = subject_of(call);
    const auto verdict = judge(call, subject, next);
    if (verdict == Verdict::undecided) return call_when_known(call, *subject, next);
    if (verdict == Verdict::hold) return at_once(refusal(call, subject));
    const auto list = list_asked_by(call.method);
    return list ? shown(call, *list, next) : next.call(call);
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    const auto subject = subject_of(call);
    const auto verdict = is_for_all(call.method) ? Verdict::pass : judge(call, subject, next);
    if (verdict == Verdict::undecided) return std::nullopt;
    if (verdict == Verdict::hold) return refusal(call, subject);
    const auto list = list_asked_by(call.method);
    auto answer = next.answer_now(call);
    if (list && answer && *answer) (*answer)->body = visible(std::move((*answer)->body), *list, next);
    return answer;
  }

  std::optional<Explanation> explain(Call& call, Service& next) const override {
    const auto verdict = judge(call, subject_of(call), next);
    if (verdict == Verdict::undecided) {
      return Explanation{Explanation::Effect::unknown, "depends on which server it is of"};
    }
    const bool matches = (verdict == Verdict::pass) == (step_ == "allow");
    const auto says = fmt::format("{}, and {}", matches ? "matches" : "does not match",
                                  verdict == Verdict::pass ? "passes" : "is refused and hidden");
    return Explanation{verdict == Verdict::pass ? Explanation::Effect::passes : Explanation::Effect::refuses, says};
  }

  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal,
                                                   Service& next) override {
    if (!is_usable(ListKind::tools, tool, next)) return {};
    return next.header_params(tool, principal);
  }

 private:
  Verdict judge(const Call& call, const std::optional<Subject>& subject, const Service& next) const {
    if (!subject) return rule_({.method = call.method, .next = &next});
    // What names nothing that can be read would mean to the server what it likes.
    if (!subject->named.place) return Verdict::hold;
    return rule_({.method = call.method, .kind = subject->kind, .name = subject->named.name, .next = &next});
  }

  bool is_usable(ListKind kind, std::string_view name, const Service& next) const {
    return rule_({.method = use_of(kind), .kind = kind, .name = name, .next = &next}) == Verdict::pass;
  }

  Task<Result<Reply>> call_when_known(Call& call, Subject subject, Service& next) {
    // The lists say whose it is. A template may be who has a resource.
    auto listing = on_behalf_of(call, form_of(subject.kind).method);
    co_await next.call(listing);
    if (subject.kind == ListKind::resources) {
      auto templates = on_behalf_of(call, form_of(ListKind::templates).method);
      co_await next.call(templates);
    }
    if (judge(call, subject, next) != Verdict::pass) co_return refusal(call, subject);
    co_return co_await next.call(call);
  }

  Task<Result<Reply>> shown(Call& call, ListKind kind, Service& next) {
    auto reply = co_await next.call(call);
    if (reply) reply->body = visible(std::move(reply->body), kind, next);
    co_return reply;
  }

  json::Payload visible(json::Payload result, ListKind kind, const Service& next) const {
    return with_items(std::move(result), kind, [&](std::string_view item, const std::optional<std::string>& key) {
      return key && is_usable(kind, *key, next) ? std::string(item) : std::string();
    });
  }

  Result<Reply> refusal(const Call& call, const std::optional<Subject>& subject) const {
    if (subject && !subject->named.place) {
      return refuse(Fault::invalid_params, call.method + " does not say what it is about");
    }
    return refuse(fault_for(subject), fmt::format("{} is not allowed here, by '{}'", asked_for(call), step_),
                  subject ? subject->named.name : call.method);
  }

  std::string step_;
  Rule rule_;
};

}  // namespace

std::unique_ptr<Middleware> filtering(std::string step, Rule rule) {
  return std::make_unique<Filter>(std::move(step), std::move(rule));
}

const std::vector<std::string>& patterns_for(const Selection& selection, ListKind kind) {
  switch (kind) {
    case ListKind::tools: return selection.tools;
    case ListKind::prompts: return selection.prompts;
    case ListKind::resources:
    case ListKind::templates: break;
  }
  return selection.resources;
}

Verdict is_of_server(const Selection& selection, const Sought& sought) {
  const auto origin = origin_of(*sought.next, *sought.kind, sought.name);
  if (!origin) return Verdict::undecided;
  return any_matches(selection.servers, *origin) ? Verdict::pass : Verdict::hold;
}

Selection read_selection(Arguments& arguments) {
  Selection selection;
  selection.tools = arguments.texts("tool");  // With those that have no name.
  selection.prompts = arguments.texts("prompt");
  selection.resources = arguments.texts("resource");
  selection.servers = arguments.texts("server");
  selection.methods = arguments.texts("method");
  const bool empty = selection.tools.empty() && selection.prompts.empty() && selection.resources.empty() &&
                     selection.servers.empty() && selection.methods.empty();
  if (empty) arguments.needs("tool");
  return selection;
}

}  // namespace fairlead::gateway
