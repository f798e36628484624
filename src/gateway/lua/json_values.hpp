#pragma once

#include <cstddef>
#include <deque>
#include <lua.hpp>
#include <string>
#include <string_view>

/// Converts JSON to Lua tables and back. Values that a script does not change keep their bytes.
namespace fairlead::gateway::lua {

/// JSON texts that the tables of one call were read from. The texts outlive it.
struct JsonSources {
  int table = LUA_NOREF;  ///< Lua registry: table to index in `texts`.
  std::deque<std::string_view> texts = {};
};

/// Defines `null` and `array`, which Lua lacks. Raises Lua errors, as do the following.
void open_values(lua_State* state);

/// Pushes the value of valid JSON.
void push_json(lua_State* state, std::string_view text, JsonSources& sources);

/// Appends the value at `index` as JSON. Raises an error for values without JSON form and beyond `most` bytes.
void write_json(lua_State* state, int index, std::string& out, const JsonSources& sources, std::size_t most);

}  // namespace fairlead::gateway::lua
