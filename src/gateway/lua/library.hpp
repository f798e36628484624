#pragma once

#include <lua.hpp>

/// Replacements for library functions whose cost the instruction count does not see, such as pattern matching. They
/// count each step as an instruction.
namespace fairlead::gateway::lua {

/// Adds `find`, `match`, `gmatch`, `gsub` and `rep` to `string`. Raises Lua errors, as do the following.
void open_strings(lua_State* state);

/// Adds `concat`, `insert`, `move`, `remove`, `sort` and `unpack` to `table`.
void open_tables(lua_State* state);

/// Adds `create`, `wrap` and `close` to `coroutine`. A new coroutine has its own instruction count, so creating one
/// costs a full check interval.
void open_coroutines(lua_State* state);

/// Adds `setmetatable`, which attaches a checked copy: no finalizers, no weak tables, and only functions as
/// metamethods.
void open_metatables(lua_State* state);

}  // namespace fairlead::gateway::lua
