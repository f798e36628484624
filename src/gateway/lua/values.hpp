#pragma once

#include <cstddef>
#include <deque>
#include <lua.hpp>
#include <string>
#include <string_view>

/// JSON as tables of Lua, and back: what a script leaves as it was is written as it came, byte for byte.
namespace fairlead::gateway::lua {

/// Where the tables of one run come from. The texts outlive it.
struct Sources {
  int table = LUA_NOREF;  ///< In Lua's registry: from tables to places in `texts`.
  std::deque<std::string_view> texts = {};
};

/// Makes `null` and `array` known to scripts: what JSON has and Lua lacks. Raises errors, as do the others.
void open_values(lua_State* state);

/// Pushes what a valid JSON text says.
void push_json(lua_State* state, std::string_view text, Sources& sources);

/// Appends the value at `index`. An error is raised for what JSON cannot say, and beyond `most` bytes.
void write_json(lua_State* state, int index, std::string& out, const Sources& sources, std::size_t most);

}  // namespace fairlead::gateway::lua
