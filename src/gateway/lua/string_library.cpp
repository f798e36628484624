#include <algorithm>
#include <cstring>
#include <optional>

#include "gateway/lua/library.hpp"
#include "gateway/lua/loaded_script.hpp"
#include "gateway/lua/pattern_matcher.hpp"

namespace fairlead::gateway::lua {
namespace {

constexpr std::size_t bytes_a_step = 16;  // Linear work, such as copying.

std::string_view text_argument(lua_State* state, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(state, index, &size);
  return {text, size};
}

// Start offset of a search, from 0; nothing if it is behind the text.
std::optional<std::size_t> start_argument(lua_State* state, int index, std::size_t size) {
  const auto given = luaL_optinteger(state, index, 1);
  const auto length = static_cast<lua_Integer>(size);
  if (given > length + 1) return std::nullopt;
  if (given > 0) return static_cast<std::size_t>(given - 1);
  return given < -length || given == 0 ? 0 : static_cast<std::size_t>(length + given);
}

// In blocks, so that the time limit is checked. memmem is linear.
std::size_t find_plain(lua_State* state, std::string_view text, std::string_view wanted, std::size_t start) {
  constexpr std::size_t piece = 65'536;
  const auto starts = std::max(piece, wanted.size());
  for (auto at = start; at + wanted.size() <= text.size(); at += starts) {
    const auto window = text.substr(at, starts + wanted.size() - 1);
    LoadedScript::spend(state, 1 + window.size() / bytes_a_step);
    if (wanted.empty()) return at;
    const void* found = memmem(window.data(), window.size(), wanted.data(), wanted.size());
    if (found != nullptr) return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  }
  return std::string_view::npos;
}

int push_positions(lua_State* state, std::size_t first, std::size_t end) {
  lua_pushinteger(state, static_cast<lua_Integer>(first + 1));
  lua_pushinteger(state, static_cast<lua_Integer>(end));
  return 2;
}

int search(lua_State* state, bool positions) {
  constexpr std::string_view specials = "^$*+?.([%-";
  const auto text = text_argument(state, 1), given = text_argument(state, 2);
  const auto start = start_argument(state, 3, text.size());
  if (!start) return lua_pushnil(state), 1;
  if (positions && (lua_toboolean(state, 4) != 0 || given.find_first_of(specials) == std::string_view::npos)) {
    const auto at = find_plain(state, text, given, *start);
    if (at == std::string_view::npos) return lua_pushnil(state), 1;
    return push_positions(state, at, at + given.size());
  }
  LoadedScript::spend(state, given.size());
  const Pattern pattern(state, given, true);
  Matcher matcher(state, pattern, text);
  for (auto at = *start; at <= text.size(); ++at) {
    const char* begin = text.data() + at;
    const char* end = matcher.match(begin);
    if (end == nullptr && !pattern.anchored()) continue;
    matcher.flush_steps();
    if (end == nullptr) break;
    int pushed = positions ? push_positions(state, at, static_cast<std::size_t>(end - text.data())) : 0;
    if (!positions || pattern.captures() > 0) pushed += matcher.push_captures(begin, end);
    return pushed;
  }
  matcher.flush_steps();
  return lua_pushnil(state), 1;
}

int find_text(lua_State* state) {
  return search(state, true);
}

int match_text(lua_State* state) {
  return search(state, false);
}

// Upvalues: text, pattern, position, end of the last match or -1.
int next_match(lua_State* state) {
  const auto text = text_argument(state, lua_upvalueindex(1)), given = text_argument(state, lua_upvalueindex(2));
  const auto last = lua_tointeger(state, lua_upvalueindex(4));
  LoadedScript::spend(state, given.size());
  const Pattern pattern(state, given, false);
  Matcher matcher(state, pattern, text);
  for (auto at = static_cast<std::size_t>(lua_tointeger(state, lua_upvalueindex(3))); at <= text.size(); ++at) {
    const char* begin = text.data() + at;
    const char* end = matcher.match(begin);
    if (end == nullptr || end - text.data() == last) continue;
    matcher.flush_steps();
    lua_pushinteger(state, end - text.data());
    lua_copy(state, -1, lua_upvalueindex(3));
    lua_replace(state, lua_upvalueindex(4));
    return matcher.push_captures(begin, end);
  }
  matcher.flush_steps();
  return 0;
}

int match_all(lua_State* state) {
  const auto text = text_argument(state, 1);
  text_argument(state, 2);
  const auto start = start_argument(state, 3, text.size()).value_or(text.size() + 1);
  lua_settop(state, 2);
  lua_pushinteger(state, static_cast<lua_Integer>(start));
  lua_pushinteger(state, -1);
  lua_pushcclosure(state, next_match, 4);
  return 1;
}

/// The replacement for a gsub match, by the type of its third argument.
class Replacement {
 public:
  Replacement(lua_State* state, Matcher& matcher, luaL_Buffer& out) : state_(state), matcher_(matcher), out_(out) {
    const auto type = lua_type(state, 3);
    luaL_argexpected(state, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE,
                     3, "string/function/table");
  }

  void add(const char* begin, const char* end) {
    if (lua_isstring(state_, 3) != 0) return add_template(begin, end);
    if (lua_istable(state_, 3)) {
      matcher_.push_capture(1, begin, end);
      lua_gettable(state_, 3);
    } else {
      lua_pushvalue(state_, 3);
      const auto arguments = matcher_.push_captures(begin, end);
      lua_call(state_, arguments, 1);
    }
    if (lua_toboolean(state_, -1) == 0) {
      lua_pop(state_, 1);
      return luaL_addlstring(&out_, begin, static_cast<std::size_t>(end - begin));
    }
    if (lua_isstring(state_, -1) == 0) {
      luaL_error(state_, "invalid replacement value (a %s)", luaL_typename(state_, -1));
    }
    luaL_addvalue(&out_);
  }

 private:
  void add_template(const char* begin, const char* end) {
    std::size_t size = 0;
    const char* data = lua_tolstring(state_, 3, &size);
    const std::string_view text(data, size);
    LoadedScript::spend(state_, 1 + size / bytes_a_step);
    for (std::size_t at = 0; at < size;) {
      const auto mark = std::min(text.find('%', at), size);
      luaL_addlstring(&out_, data + at, mark - at);
      if (mark == size) return;
      const char what = mark + 1 < size ? text[mark + 1] : '\0';
      at = mark + 2;
      if (what == '%') {
        luaL_addchar(&out_, '%');
      } else if (what >= '0' && what <= '9') {
        LoadedScript::spend(state_, 1);
        matcher_.push_capture(static_cast<std::size_t>(what - '0'), begin, end);
        luaL_tolstring(state_, -1, nullptr);  // A position capture is a number.
        lua_remove(state_, -2);
        luaL_addvalue(&out_);
      } else {
        luaL_error(state_, "invalid use of '%%' in replacement string");
      }
    }
  }

  lua_State* state_;
  Matcher& matcher_;
  luaL_Buffer& out_;
};

int replace_all(lua_State* state) {
  const auto text = text_argument(state, 1), given = text_argument(state, 2);
  const auto most = luaL_optinteger(state, 4, static_cast<lua_Integer>(text.size()) + 1);
  LoadedScript::spend(state, given.size());
  const Pattern pattern(state, given, true);
  Matcher matcher(state, pattern, text);
  luaL_Buffer out;
  luaL_buffinit(state, &out);
  Replacement replacement(state, matcher, out);
  const char* at = text.data();
  const char* const all = text.data() + text.size();
  const char* last = nullptr;
  lua_Integer count = 0;
  while (count < most) {
    const char* end = matcher.match(at);
    if (end != nullptr && end != last) {
      ++count;
      matcher.flush_steps();
      replacement.add(at, end);
      at = last = end;
    } else if (at < all) {
      luaL_addchar(&out, *at);
      ++at;
    } else {
      break;
    }
    if (pattern.anchored()) break;
  }
  matcher.flush_steps();
  luaL_addlstring(&out, at, static_cast<std::size_t>(all - at));
  luaL_pushresult(&out);
  lua_pushinteger(state, count);
  return 2;
}

int repeat_text(lua_State* state) {
  const auto text = text_argument(state, 1);
  const auto times = luaL_checkinteger(state, 2);
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(state, 3, "", &separator_size);
  if (times <= 0 || text.size() + separator_size == 0) return lua_pushliteral(state, ""), 1;
  constexpr std::size_t max_text_bytes = std::size_t{1} << 40U;  // More than any memory limit.
  if (static_cast<std::size_t>(times) > max_text_bytes / (text.size() + separator_size)) {
    return luaL_error(state, "resulting string too large");
  }
  const auto size = static_cast<std::size_t>(times) * (text.size() + separator_size) - separator_size;
  luaL_Buffer out;
  char* at = luaL_buffinitsize(state, &out, size);
  LoadedScript::spend(state, 1 + static_cast<std::size_t>(times) / 4 + size / bytes_a_step);
  for (auto left = times; left > 0; --left) {
    at = std::copy_n(text.data(), text.size(), at);
    if (left > 1) at = std::copy_n(separator, separator_size, at);
  }
  luaL_pushresultsize(&out, size);
  return 1;
}

}  // namespace

void open_strings(lua_State* state) {
  const luaL_Reg functions[] = {{"find", find_text},   {"match", match_text}, {"gmatch", match_all},
                                {"gsub", replace_all}, {"rep", repeat_text},  {nullptr, nullptr}};
  lua_getglobal(state, "string");
  luaL_setfuncs(state, functions, 0);
  lua_pushnil(state);
  lua_setfield(state, -2, "dump");
  // All strings share one metatable, which scripts must not reach.
  lua_pushliteral(state, "");
  lua_getmetatable(state, -1);
  lua_pushliteral(state, "a string");
  lua_setfield(state, -2, "__metatable");
  lua_pop(state, 3);
}

}  // namespace fairlead::gateway::lua
