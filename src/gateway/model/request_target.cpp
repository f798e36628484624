#include "gateway/model/request_target.hpp"

#include <fairlead/gateway/middleware.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <set>

#include "gateway/model/backend_list.hpp"
#include "gateway/model/task_extension.hpp"

namespace fairlead::gateway {
namespace {

std::optional<ListKind> kind_used_by(std::string_view method) {
  if (method == protocol::CallTool::method) return ListKind::tools;
  if (method == protocol::GetPrompt::method) return ListKind::prompts;
  if (method == "skills/get") return ListKind::skills;
  const bool of_resource = method == protocol::ReadResource::method || method == protocol::Subscribe::method ||
                           method == protocol::Unsubscribe::method || method == "resources/directory/read";
  return of_resource ? std::optional(ListKind::resources) : std::nullopt;
}

std::unexpected<Error> too_long(ListKind kind, const ListLimits& limits) {
  return refuse(
      fmt::format("the answers to {} are too long: more than {} pages or {} bytes. Ask the server's author for "
                  "fewer or shorter items",
                  list_info(kind).method, limits.pages, limits.bytes));
}

}  // namespace

std::optional<RequestTarget> target_of(const session::Call& call) {
  std::optional<RequestTarget> target;
  if (const auto kind = kind_used_by(call.method)) {
    target.emplace().kind = *kind;
    if (auto named = string_member(call.params, is_named(*kind) ? "name" : "uri")) target->named = std::move(*named);
  } else if (call.method == protocol::Complete::method) {
    target.emplace().kind = ListKind::prompts;
    auto reference = completion_reference(call.params);
    if (!reference) return target;
    if (!reference->is_prompt) target->kind = ListKind::resources;
    target->named = std::move(reference->named);
  } else if (is_task_request(call.method)) {
    if (auto tool = string_member(call.params, "name")) target = {.kind = ListKind::tools, .named = std::move(*tool)};
  }
  return target;
}

std::string_view use_method(ListKind kind) {
  switch (kind) {
    case ListKind::tools: return protocol::CallTool::method;
    case ListKind::prompts: return protocol::GetPrompt::method;
    case ListKind::skills: return "skills/get";
    case ListKind::resources:
    case ListKind::templates: break;
  }
  return protocol::ReadResource::method;
}

session::Call on_behalf_of(const session::Call& call, std::string_view method, std::string params) {
  session::Call another{.method = std::string(method),
                        .params = json::Payload::trusted(std::move(params)),
                        .context = call.context,
                        .timeouts = call.timeouts};
  another.context.progress_token.reset();
  another.context.original_method.clear();
  return another;
}

Task<Result<void>> for_each_page(const session::Call& call, ListKind kind, session::Service& next,
                                 std::function<void(const json::Payload&)> visit) {
  const ListLimits limits;
  std::set<std::string> seen;
  std::string params = "{}";
  std::size_t bytes = 0;
  // A repeated cursor ends the list: some servers never stop sending one.
  while (!params.empty() && seen.insert(params).second) {
    if (seen.size() > limits.pages) co_return too_long(kind, limits);
    auto list = on_behalf_of(call, list_info(kind).method, params);
    auto reply = co_await next.call(list);
    if (!reply) co_return std::unexpected(std::move(reply.error()));
    bytes += reply->body.text().size();
    if (bytes > limits.bytes) co_return too_long(kind, limits);
    visit(reply->body);
    const auto cursor = json::member_of(reply->body.text(), "nextCursor");
    params = cursor.starts_with('"') ? R"({"cursor":)" + std::string(cursor) + "}" : "";
  }
  co_return Result<void>();
}

}  // namespace fairlead::gateway
