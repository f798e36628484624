#include <limits>

#include "gateway/lua/library.hpp"
#include "gateway/lua/loaded_script.hpp"

namespace fairlead::gateway::lua {
namespace {

constexpr auto greatest = std::numeric_limits<lua_Integer>::max();

lua_Integer table_length(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  return luaL_len(state, 1);
}

lua_Unsigned as_unsigned(lua_Integer number) {
  return static_cast<lua_Unsigned>(number);
}

void copy_element(lua_State* state, int from, lua_Integer at, int to, lua_Integer target) {
  LoadedScript::spend(state, 1);
  lua_geti(state, from, at);
  lua_seti(state, to, target);
}

int insert_element(lua_State* state) {
  const auto end = static_cast<lua_Integer>(as_unsigned(table_length(state)) + 1);
  if (lua_gettop(state) == 2) {
    lua_seti(state, 1, end);
    return 0;
  }
  if (lua_gettop(state) != 3) return luaL_error(state, "wrong number of arguments to 'insert'");
  const auto position = luaL_checkinteger(state, 2);
  luaL_argcheck(state, as_unsigned(position) - 1 < as_unsigned(end), 2, "position out of bounds");
  for (auto at = end; at > position; --at) copy_element(state, 1, at - 1, 1, at);
  lua_seti(state, 1, position);
  return 0;
}

int remove_element(lua_State* state) {
  const auto size = table_length(state);
  auto position = luaL_optinteger(state, 2, size);
  if (lua_gettop(state) > 1) {
    luaL_argcheck(state, position == size || as_unsigned(position) - 1 <= as_unsigned(size), 2,
                  "position out of bounds");
  }
  lua_geti(state, 1, position);
  for (; position < size; ++position) copy_element(state, 1, position + 1, 1, position);
  lua_pushnil(state);
  lua_seti(state, 1, position);
  return 1;
}

int move_elements(lua_State* state) {
  const auto first = luaL_checkinteger(state, 2), last = luaL_checkinteger(state, 3),
             target = luaL_checkinteger(state, 4);
  const int to = lua_isnoneornil(state, 5) ? 1 : 5;
  luaL_checktype(state, 1, LUA_TTABLE);
  luaL_checktype(state, to, LUA_TTABLE);
  if (last >= first) {
    luaL_argcheck(state, first > 0 || last < greatest + first, 3, "too many elements to move");
    const auto more = last - first;
    luaL_argcheck(state, target <= greatest - more, 4, "destination wrap around");
    const bool overlaps = target > first && target <= last && lua_compare(state, 1, to, LUA_OPEQ) != 0;
    for (lua_Integer i = 0; i <= more && !overlaps; ++i) copy_element(state, 1, first + i, to, target + i);
    for (lua_Integer i = more; i >= 0 && overlaps; --i) copy_element(state, 1, first + i, to, target + i);
  }
  lua_pushvalue(state, to);
  return 1;
}

void add_element(lua_State* state, luaL_Buffer& out, lua_Integer at) {
  constexpr std::size_t bytes_an_instruction = 16;
  lua_geti(state, 1, at);
  std::size_t size = 0;
  if (lua_isstring(state, -1) == 0) {
    luaL_error(state, "invalid value (at index %I) in table for 'concat'", static_cast<LUAI_UACINT>(at));
  }
  lua_tolstring(state, -1, &size);
  LoadedScript::spend(state, 1 + size / bytes_an_instruction);
  luaL_addvalue(&out);
}

int concat_elements(lua_State* state) {
  const auto size = table_length(state);
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(state, 2, "", &separator_size);
  auto at = luaL_optinteger(state, 3, 1);
  const auto last = luaL_optinteger(state, 4, size);
  luaL_Buffer out;
  luaL_buffinit(state, &out);
  for (; at < last; ++at) {
    add_element(state, out, at);
    luaL_addlstring(&out, separator, separator_size);
  }
  if (at == last) add_element(state, out, at);
  luaL_pushresult(&out);
  return 1;
}

int unpack_elements(lua_State* state) {
  const auto first = luaL_optinteger(state, 2, 1);
  const auto last = lua_isnoneornil(state, 3) ? luaL_len(state, 1) : luaL_checkinteger(state, 3);
  if (first > last) return 0;
  const auto more = as_unsigned(last) - as_unsigned(first);
  constexpr lua_Unsigned most = 1'000'000;
  if (more >= most || lua_checkstack(state, static_cast<int>(more + 1)) == 0) {
    return luaL_error(state, "too many results to unpack");
  }
  for (auto at = first; at < last; ++at) {
    LoadedScript::spend(state, 1);
    lua_geti(state, 1, at);
  }
  lua_geti(state, 1, last);
  return static_cast<int>(more + 1);
}

/// Heapsort: bounded comparisons, whatever the script's function returns.
class HeapSort {
 public:
  explicit HeapSort(lua_State* state) : state_(state), given_(!lua_isnoneornil(state, 2)) {}

  void sort(lua_Integer size) {
    for (auto root = size / 2; root >= 1; --root) sift(root, size);
    for (auto last = size; last > 1; --last) {
      swap(1, last);
      sift(1, last - 1);
    }
  }

 private:
  void sift(lua_Integer root, lua_Integer size) {
    for (auto child = 2 * root; child <= size; child = 2 * root) {
      if (child < size && less(child, child + 1)) ++child;
      if (!less(root, child)) return;
      swap(root, child);
      root = child;
    }
  }

  bool less(lua_Integer left, lua_Integer right) {
    LoadedScript::spend(state_, 2);
    if (given_) lua_pushvalue(state_, 2);
    lua_geti(state_, 1, left);
    lua_geti(state_, 1, right);
    if (given_) {
      lua_call(state_, 2, 1);
    } else {
      lua_pushboolean(state_, lua_compare(state_, -2, -1, LUA_OPLT));
    }
    const bool is_less = lua_toboolean(state_, -1) != 0;
    lua_settop(state_, 2);
    return is_less;
  }

  void swap(lua_Integer left, lua_Integer right) {
    LoadedScript::spend(state_, 2);
    lua_geti(state_, 1, left);
    lua_geti(state_, 1, right);
    lua_seti(state_, 1, left);
    lua_seti(state_, 1, right);
  }

  lua_State* state_;
  bool given_;
};

int sort_elements(lua_State* state) {
  const auto size = table_length(state);
  if (size < 2) return 0;
  luaL_argcheck(state, size < std::numeric_limits<int>::max(), 1, "array too big");
  if (!lua_isnoneornil(state, 2)) luaL_checktype(state, 2, LUA_TFUNCTION);
  lua_settop(state, 2);
  HeapSort(state).sort(size);
  return 0;
}

}  // namespace

void open_tables(lua_State* state) {
  const luaL_Reg functions[] = {{"insert", insert_element},  {"remove", remove_element},  {"move", move_elements},
                                {"concat", concat_elements}, {"unpack", unpack_elements}, {"sort", sort_elements},
                                {nullptr, nullptr}};
  lua_getglobal(state, "table");
  luaL_setfuncs(state, functions, 0);
  lua_pop(state, 1);
}

}  // namespace fairlead::gateway::lua
