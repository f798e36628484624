#pragma once

#include <cstddef>
#include <lua.hpp>
#include <memory>

namespace fairlead::gateway::lua {

/// Memory that a script may have; what is beyond it is refused.
struct Allowance {
  std::size_t most = 0;
  std::size_t used = 0;
  std::size_t since_refusal = 0;  ///< Bytes that were granted since the last refusal.
  int refusals = 0;               ///< In a row, with little granted between them.

  bool grants(std::size_t more) {
    // After a refusal Lua collects all its garbage and asks again. Where that brings next to nothing, each allocation
    // would cost a whole collection: after a few of them the script has had its memory.
    constexpr int most_refusals = 8;
    constexpr std::size_t little = 16;  // As a part of the whole.
    if (refusals <= most_refusals && used + more <= most) {
      since_refusal += more;
      return true;
    }
    if (since_refusal > most / little) refusals = 0;
    since_refusal = 0;
    ++refusals;
    return false;
  }
};

struct Closing {
  void operator()(lua_State* state) const { lua_close(state); }
};
using State = std::unique_ptr<lua_State, Closing>;

/// A state without libraries; null if even that takes too much. `allowance` outlives it.
State new_state(Allowance& allowance);

/// What a script may use: no files, no system, no modules, no debugging, no other code than its own; nothing that would
/// catch the error which ends it, or run where nobody counts its instructions. Raises errors.
void open_libraries(lua_State* state);

}  // namespace fairlead::gateway::lua
