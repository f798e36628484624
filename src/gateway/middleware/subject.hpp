#pragma once

#include <fairlead/session/service.hpp>
#include <functional>
#include <optional>
#include <string_view>

#include "gateway/merge/list_kind.hpp"
#include "gateway/merge/splice.hpp"

namespace fairlead::gateway {

/// The tool, prompt or resource that a request is about.
struct Subject {
  ListKind kind;
  Named named;  ///< Without a place if the request should name it, but does not.
};

/// Nothing for a request that is about nothing in particular.
std::optional<Subject> subject_of(const session::Call& call);

/// How the items of a list are used: `tools/call`.
std::string_view use_of(ListKind kind);

/// A request that is asked while another is under way, for whoever asked that.
session::Call on_behalf_of(const session::Call& call, std::string_view method, std::string params = "{}");

/// Asks for a whole list on behalf of a call, and looks at the result of each page. An error if it has more pages or
/// bytes than `ListLimits`. `call` and `next` outlive it.
Task<Result<void>> for_each_page(const session::Call& call, ListKind kind, session::Service& next,
                                 std::function<void(const json::Payload&)> look);

}  // namespace fairlead::gateway
