#pragma once

#include <fairlead/base/redactor.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// The plane on which a call failed, which decides who has to act.
enum class Plane : std::uint8_t {
  none,
  caller,     ///< Cancelled by the caller.
  transport,  ///< Server unreachable, timeout or malformed reply.
  protocol,   ///< JSON-RPC error.
  tool,       ///< Result with `isError`.
};

std::string_view name(Plane plane);

/// Outcome of a call.
struct Outcome {
  std::string_view transport = "ok";  ///< ok, closed, timeout, cancelled or malformed.
  std::int64_t code = 0;              ///< Code of the JSON-RPC error that the caller gets; 0 for none.
  bool tool_failed = false;           ///< Result with `isError`, or an error that becomes one.
  std::string message = {};           ///< Redacted error message; empty for tool failures.

  /// The failed plane closest to the caller.
  Plane plane() const;
  bool failed() const { return plane() != Plane::none; }
};

/// True if a result has `isError`.
bool is_tool_failure(const session::Reply& reply);

/// `revision` is that of the caller; null if unknown.
Outcome outcome_of(const Result<session::Reply>& reply, const protocol::Revision* revision, const Redactor& redactor);

/// Outcome of a cancelled call.
Outcome cancelled_outcome();

}  // namespace fairlead::gateway
