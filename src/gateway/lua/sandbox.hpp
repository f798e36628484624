#pragma once

#include <cstddef>
#include <lua.hpp>
#include <memory>

namespace fairlead::gateway::lua {

/// Memory limit of a script. Allocations beyond it fail.
struct MemoryLimit {
  std::size_t most = 0;
  std::size_t used = 0;
  std::size_t since_refusal = 0;  ///< Bytes allocated since the last refusal.
  int refusals = 0;               ///< Consecutive refusals with few allocations between them.

  bool allows(std::size_t more) {
    // After a refusal Lua runs a full garbage collection and retries. If that frees little, each allocation would cost
    // a collection, so after a few refusals all allocations fail.
    constexpr int max_refusals = 8;
    constexpr std::size_t little = 16;  // Fraction of the limit.
    if (refusals <= max_refusals && used + more <= most) {
      since_refusal += more;
      return true;
    }
    if (since_refusal > most / little) refusals = 0;
    since_refusal = 0;
    ++refusals;
    return false;
  }
};

struct LuaStateDeleter {
  void operator()(lua_State* state) const { lua_close(state); }
};
using LuaState = std::unique_ptr<lua_State, LuaStateDeleter>;

/// Creates a state without libraries; null if memory is insufficient. `limit` outlives it.
LuaState new_state(MemoryLimit& limit);

/// Opens the libraries for scripts: no files, system, modules, debugging or code loading; nothing that catches the
/// terminating error or runs without an instruction count. Raises Lua errors.
void open_libraries(lua_State* state);

}  // namespace fairlead::gateway::lua
