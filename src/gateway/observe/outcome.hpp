#pragma once

#include <cstdint>
#include <fairlead/base/redactor.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/session/service.hpp>
#include <string>
#include <string_view>

namespace fairlead::gateway {

/// Where a call has failed, because each has somebody else to see to it.
enum class Plane : std::uint8_t {
  none,
  caller,     ///< It was given up on.
  transport,  ///< The way to the server: it is gone, late, or makes no sense.
  protocol,   ///< A JSON-RPC error: somebody has said no.
  tool,       ///< A result that says so itself.
};

std::string_view name(Plane plane);

/// How a call has ended.
struct Outcome {
  std::string_view transport = "ok";  ///< ok, closed, timeout, cancelled or malformed.
  std::int64_t code = 0;              ///< Of the JSON-RPC error that the caller is told; 0 for none.
  bool tool_failed = false;           ///< `isError`, or what becomes of it.
  std::string message = {};           ///< What went wrong, without secrets; empty where that is for the tool to say.

  /// The first on which it failed, on the way from the caller to the tool.
  Plane plane() const;
  bool failed() const { return plane() != Plane::none; }
};

/// Whether a tool's result says that it has failed.
bool says_failure(const session::Reply& reply);

/// `revision` is the one in which the caller is answered; null where that is not known.
Outcome outcome_of(const Result<session::Reply>& reply, const protocol::Revision* revision, const Redactor& redactor);

/// Of a call that nobody waits for any more.
Outcome given_up();

}  // namespace fairlead::gateway
