#pragma once

#include <lua.hpp>
#include <string>

namespace fairlead::gateway::lua {

/// Pops and returns the error message on top of the stack.
inline std::string take_message(lua_State* state) {
  std::size_t size = 0;
  const char* text = lua_type(state, -1) == LUA_TSTRING ? lua_tolstring(state, -1, &size) : nullptr;
  std::string message = text != nullptr ? std::string(text, size) : "an error that is not a string";
  lua_pop(state, 1);
  return message;
}

/// Pushes the global `name` and returns its type. Raw access, because metamethods would run without an instruction
/// count.
inline int push_global(lua_State* state, const char* name) {
  lua_pushglobaltable(state);
  lua_pushstring(state, name);
  const int type = lua_rawget(state, -2);
  lua_remove(state, -2);
  return type;
}

/// Runs `work(state)` in protected mode, because Lua errors must not leave Lua. Returns the error message, or an empty
/// string.
template <class Work>
std::string protect(lua_State* state, Work work) {
  const auto call = [](lua_State* inside) {
    (*static_cast<Work*>(lua_touserdata(inside, 1)))(inside);
    return 0;
  };
  if (lua_checkstack(state, 4) == 0) return "not enough memory";
  lua_pushcfunction(state, call);
  lua_pushlightuserdata(state, &work);
  return lua_pcall(state, 1, 0, 0) == LUA_OK ? std::string() : take_message(state);
}

}  // namespace fairlead::gateway::lua
