#include "gateway/lua/library.hpp"
#include "gateway/lua/loaded_script.hpp"

namespace fairlead::gateway::lua {
namespace {

void push_coroutine(lua_State* state) {
  luaL_checktype(state, 1, LUA_TFUNCTION);
  LoadedScript::spend(state, LoadedScript::instructions_per_check);
  auto* made = lua_newthread(state);
  lua_pushvalue(state, 1);
  lua_xmove(state, made, 1);
}

int create_coroutine(lua_State* state) {
  push_coroutine(state);
  return 1;
}

int resume_wrapped(lua_State* state) {
  auto* coroutine = lua_tothread(state, lua_upvalueindex(1));
  const auto arguments = lua_gettop(state);
  luaL_argcheck(state, lua_checkstack(coroutine, arguments) != 0, 1, "too many arguments to resume");
  lua_xmove(state, coroutine, arguments);
  int results = 0;
  const auto status = lua_resume(coroutine, state, arguments, &results);
  if (status == LUA_OK || status == LUA_YIELD) {
    luaL_checkstack(state, results, "too many results to resume");
    lua_xmove(coroutine, state, results);
    return results;
  }
  // Lua's own function would run `__close` functions of the script here, in a coroutine whose instructions are no
  // longer counted if the count ended it.
  lua_xmove(coroutine, state, 1);
  return lua_error(state);
}

int wrap_coroutine(lua_State* state) {
  push_coroutine(state);
  lua_pushcclosure(state, resume_wrapped, 1);
  return 1;
}

// Upvalue: Lua's own function, which must not close a failed coroutine (see above).
int close_coroutine(lua_State* state) {
  auto* coroutine = lua_tothread(state, 1);
  luaL_argexpected(state, coroutine != nullptr, 1, "coroutine");
  const auto status = lua_status(coroutine);
  if (status == LUA_OK || status == LUA_YIELD) return lua_tocfunction(state, lua_upvalueindex(1))(state);
  lua_pushboolean(state, 0);
  lua_pushliteral(state, "the coroutine has failed");
  return 2;
}

}  // namespace

void open_coroutines(lua_State* state) {
  const luaL_Reg functions[] = {{"create", create_coroutine}, {"wrap", wrap_coroutine}, {nullptr, nullptr}};
  lua_getglobal(state, "coroutine");
  luaL_setfuncs(state, functions, 0);
  lua_getfield(state, -1, "close");
  lua_pushcclosure(state, close_coroutine, 1);
  lua_setfield(state, -2, "close");
  lua_pop(state, 1);
}

}  // namespace fairlead::gateway::lua
