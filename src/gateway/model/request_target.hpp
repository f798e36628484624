#pragma once

#include <fairlead/session/service.hpp>

#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/list_kind.hpp"

namespace fairlead::gateway {

/// The tool, prompt or resource that a request is about.
struct RequestTarget {
  ListKind kind;
  NamedSpan named;  ///< Without a span if the request does not name its target.
};

/// Nothing for a request without a target. The target of a request about a task is the tool that started it.
std::optional<RequestTarget> target_of(const session::Call& call);

/// The method that uses an item of the list: `tools/call`.
std::string_view use_method(ListKind kind);

/// Makes a request on behalf of the caller of another call, with its context and timeouts.
session::Call on_behalf_of(const session::Call& call, std::string_view method, std::string params = "{}");

/// Fetches a list on behalf of a call and passes the result of each page to `visit`. Fails if it has more pages or
/// bytes than `ListLimits`. `call` and `next` must outlive the task.
Task<Result<void>> for_each_page(const session::Call& call, ListKind kind, session::Service& next,
                                 std::function<void(const json::Payload&)> visit);

}  // namespace fairlead::gateway
