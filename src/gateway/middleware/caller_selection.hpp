#pragma once

#include <fairlead/gateway/arguments.hpp>
#include <fairlead/gateway/caller_patterns.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// True if the step with these patterns is for the caller of `call`.
bool selects(const CallerPatterns& patterns, const session::Call& call);

/// Reads the arguments `caller=ann, scope=git:*`.
CallerPatterns read_caller_patterns(MiddlewareArguments& arguments);

}  // namespace fairlead::gateway
