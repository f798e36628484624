#pragma once

#include <fairlead/session/service.hpp>
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

}  // namespace fairlead::gateway
