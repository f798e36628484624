#include "gateway/lua/library.hpp"
#include "gateway/lua/loaded_script.hpp"

namespace fairlead::gateway::lua {
namespace {

constexpr const char* metamethods[] = {"__index",  "__newindex", "__call", "__len",   "__eq",      "__lt",   "__le",
                                       "__concat", "__unm",      "__add",  "__sub",   "__mul",     "__div",  "__mod",
                                       "__pow",    "__idiv",     "__band", "__bor",   "__bxor",    "__bnot", "__shl",
                                       "__shr",    "__close",    "__name", "__pairs", "__tostring"};

const char made_by_script = 0;  // Its address marks copies that a script may replace.

void refuse_metamethods(lua_State* state) {
  for (const auto* name : {"__gc", "__mode"}) {
    lua_pushstring(state, name);
    if (lua_rawget(state, 2) != LUA_TNIL) {
      luaL_error(state, "__gc and __mode are not allowed in scripts, because they run without an instruction count");
    }
    lua_pop(state, 1);
  }
  lua_pushliteral(state, "__call");
  const auto type = lua_rawget(state, 2);
  if (type != LUA_TNIL && type != LUA_TFUNCTION)
    luaL_error(state, "__call must be a function, not a %s", lua_typename(state, type));
  lua_pop(state, 1);
}

bool is_replaceable(lua_State* state) {
  if (lua_getmetatable(state, 1) == 0) return true;
  const bool marked = lua_rawgetp(state, -1, &made_by_script) != LUA_TNIL;
  lua_pop(state, 2);
  return marked;
}

void push_copy(lua_State* state) {
  lua_newtable(state);
  for (const auto* name : metamethods) {
    lua_pushstring(state, name);
    lua_pushvalue(state, -1);
    lua_rawget(state, 2);
    lua_rawset(state, -3);
  }
  lua_pushliteral(state, "__metatable");
  if (lua_rawget(state, 2) == LUA_TNIL) {
    lua_pop(state, 1);
    lua_pushboolean(state, 1);
    lua_rawsetp(state, -2, &made_by_script);
    lua_pushvalue(state, 2);  // Returned by getmetatable.
  }
  lua_setfield(state, -2, "__metatable");
}

// Attaches a copy that scripts cannot reach, so that it does not change after the check.
int set_metatable(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  const bool is_none = lua_isnil(state, 2);
  if (!is_none) luaL_checktype(state, 2, LUA_TTABLE);
  lua_settop(state, 2);
  if (!is_none) refuse_metamethods(state);
  if (!is_replaceable(state)) return luaL_error(state, "this metatable is protected");
  if (!is_none) push_copy(state);
  lua_setmetatable(state, 1);
  lua_settop(state, 1);
  return 1;
}

}  // namespace

void open_metatables(lua_State* state) {
  lua_register(state, "setmetatable", set_metatable);
}

}  // namespace fairlead::gateway::lua
