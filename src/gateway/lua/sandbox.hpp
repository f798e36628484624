#pragma once

#include <cstddef>
#include <lua.hpp>
#include <memory>

namespace fairlead::gateway::lua {

/// Memory that a script may have; what is beyond it is refused.
struct Allowance {
  std::size_t most = 0;
  std::size_t used = 0;
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
