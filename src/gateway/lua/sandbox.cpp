#include "gateway/lua/sandbox.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace fairlead::gateway::lua {
namespace {

void* allocate(void* data, void* block, std::size_t old_size, std::size_t new_size) {
  auto& allowance = *static_cast<Allowance*>(data);
  const auto before = block != nullptr ? old_size : 0;
  if (new_size > before && allowance.used + (new_size - before) > allowance.most) return nullptr;
  void* made = nullptr;
  if (new_size == 0) {
    std::free(block);
  } else {
    made = std::realloc(block, new_size);
    if (made == nullptr) return nullptr;
  }
  allowance.used = allowance.used - before + new_size;
  return made;
}

// A finalizer would run whenever Lua likes, and without a count.
int set_metatable(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  const bool is_none = lua_isnil(state, 2);
  if (!is_none) {
    luaL_checktype(state, 2, LUA_TTABLE);
    lua_pushliteral(state, "__gc");
    if (lua_rawget(state, 2) != LUA_TNIL) return luaL_error(state, "finalizers (__gc) are not for scripts");
    lua_pop(state, 1);
  }
  if (luaL_getmetafield(state, 1, "__metatable") != LUA_TNIL) return luaL_error(state, "this metatable is protected");
  lua_settop(state, 2);
  lua_setmetatable(state, 1);
  return 1;
}

// Matching goes back and tries again, so that each repetition in a pattern may cost another factor of the text's
// length; and while it does, nothing counts.
void check_cost(lua_State* state) {
  std::size_t text = 0, size = 0;
  luaL_checklstring(state, 1, &text);
  const char* given = luaL_checklstring(state, 2, &size);
  const std::string_view pattern(given, size);
  const auto repeats = std::ranges::count_if(pattern, [](char c) { return c == '*' || c == '+' || c == '-'; });
  const auto factors = static_cast<double>(repeats) + (pattern.starts_with('^') ? 0 : 1);
  constexpr double most = 27;  // As a power of two: about a second.
  if (factors * std::log2(static_cast<double>(std::max<std::size_t>(text, 2))) > most) {
    luaL_error(state, "a pattern with so many repetitions may take for ever on a text of %d bytes",
               static_cast<int>(std::min<std::size_t>(text, 1'000'000'000)));
  }
}

int guarded_match(lua_State* state) {
  const bool is_plain = lua_toboolean(state, lua_upvalueindex(2)) != 0 && lua_toboolean(state, 4) != 0;
  if (!is_plain) check_cost(state);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, lua_gettop(state) - 1, LUA_MULTRET);
  return lua_gettop(state);
}

void guard_matching(lua_State* state, const char* function) {
  lua_getglobal(state, "string");
  lua_getfield(state, -1, function);
  lua_pushboolean(state, std::string_view(function) == "find" ? 1 : 0);  // Which alone has a plain way.
  lua_pushcclosure(state, guarded_match, 2);
  lua_setfield(state, -2, function);
  lua_pop(state, 1);
}

}  // namespace

State new_state(Allowance& allowance) {
  return State(lua_newstate(allocate, &allowance));
}

void open_libraries(lua_State* state) {
  const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},        {LUA_TABLIBNAME, luaopen_table},
                                {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math},
                                {LUA_UTF8LIBNAME, luaopen_utf8},  {LUA_COLIBNAME, luaopen_coroutine}};
  for (const auto& library : libraries) {
    luaL_requiref(state, library.name, library.func, 1);
    lua_pop(state, 1);
  }
  for (const auto* name :
       {"dofile", "loadfile", "load", "collectgarbage", "pcall", "xpcall", "print", "warn", "setmetatable"}) {
    lua_pushnil(state);
    lua_setglobal(state, name);
  }
  lua_register(state, "setmetatable", set_metatable);
  lua_getglobal(state, "string");
  lua_pushnil(state);
  lua_setfield(state, -2, "dump");
  lua_pop(state, 1);
  for (const auto* function : {"find", "match", "gmatch", "gsub"}) guard_matching(state, function);
}

}  // namespace fairlead::gateway::lua
