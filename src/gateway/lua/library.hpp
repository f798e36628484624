#pragma once

#include <lua.hpp>

/// Lua's own functions of these names do work that no instruction count sees: they match by trying, or go through as
/// many elements as a script claims that there are. These do the same and count each step as an instruction.
namespace fairlead::gateway::lua {

/// Put `find`, `match`, `gmatch`, `gsub` and `rep` into the table `string`. Raises errors, as do the others.
void open_strings(lua_State* state);

/// Put `concat`, `insert`, `move`, `remove`, `sort` and `unpack` into the table `table`.
void open_tables(lua_State* state);

/// Put `create`, `wrap` and `close` into the table `coroutine`. A coroutine starts with an instruction count of its
/// own, so that making one costs as much as it may run without being looked at.
void open_coroutines(lua_State* state);

/// Puts in `setmetatable`, which attaches a checked copy: no finalizers, no weak tables, and only functions can be
/// called.
void open_metatables(lua_State* state);

}  // namespace fairlead::gateway::lua
