#include "gateway/lua/sandbox.hpp"

#include <cstdlib>

#include "gateway/lua/library.hpp"

namespace fairlead::gateway::lua {
namespace {

void* allocate(void* data, void* block, std::size_t old_size, std::size_t new_size) {
  auto& limit = *static_cast<MemoryLimit*>(data);
  const auto before = block != nullptr ? old_size : 0;
  if (new_size > before && !limit.allows(new_size - before)) return nullptr;
  void* made = nullptr;
  if (new_size == 0) {
    std::free(block);
  } else {
    made = std::realloc(block, new_size);
    if (made == nullptr) return nullptr;
  }
  limit.used = limit.used - before + new_size;
  return made;
}

}  // namespace

LuaState new_state(MemoryLimit& limit) {
  return LuaState(lua_newstate(allocate, &limit));
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
  open_metatables(state);
  open_strings(state);
  open_tables(state);
  open_coroutines(state);
}

}  // namespace fairlead::gateway::lua
