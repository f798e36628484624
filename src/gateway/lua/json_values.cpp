#include "gateway/lua/json_values.hpp"

#include <charconv>
#include <cmath>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <set>
#include <utility>

#include "base/parse_number.hpp"

namespace fairlead::gateway::lua {
namespace {

constexpr const char* array_mark = "fairlead.array";
constexpr int deepest = 200;

int make_array(lua_State* state) {
  if (lua_isnoneornil(state, 1)) {
    lua_settop(state, 0);
    lua_newtable(state);
  }
  luaL_checktype(state, 1, LUA_TTABLE);
  luaL_setmetatable(state, array_mark);
  return 1;
}

void push_number(lua_State* state, std::string_view text) {
  if (const auto whole = parse_number<lua_Integer>(text)) return lua_pushinteger(state, *whole);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  lua_pushnumber(state, number);
}

void push_value(lua_State* state, json::Reader& reader, JsonSources& sources);

void remember_source(lua_State* state, std::string_view text, JsonSources& sources) {
  sources.texts.push_back(text);
  lua_rawgeti(state, LUA_REGISTRYINDEX, sources.table);
  lua_pushvalue(state, -2);
  lua_pushlightuserdata(state, &sources.texts.back());
  lua_rawset(state, -3);
  lua_pop(state, 1);
}

void push_array(lua_State* state, json::Reader& reader, JsonSources& sources) {
  const auto text = json::Reader(reader).skip();
  lua_newtable(state);
  luaL_setmetatable(state, array_mark);
  lua_Integer index = 0;
  for (reader.open(); reader.more();) {
    push_value(state, reader, sources);
    lua_rawseti(state, -2, ++index);
  }
  remember_source(state, text, sources);
}

void push_object(lua_State* state, json::Reader& reader, JsonSources& sources) {
  const auto text = json::Reader(reader).skip();
  lua_newtable(state);
  for (reader.open(); reader.more();) {
    const auto key = reader.key();
    lua_pushlstring(state, key.data(), key.size());
    push_value(state, reader, sources);
    lua_rawset(state, -3);
  }
  remember_source(state, text, sources);
}

void push_value(lua_State* state, json::Reader& reader, JsonSources& sources) {
  luaL_checkstack(state, 8, "too deep");
  std::string scratch;
  switch (reader.kind()) {
    case json::Kind::null: reader.null(); return lua_pushlightuserdata(state, nullptr);
    case json::Kind::boolean: return lua_pushboolean(state, reader.boolean() ? 1 : 0);
    case json::Kind::number: return push_number(state, reader.number());
    case json::Kind::string: {
      const auto text = reader.text(scratch);
      lua_pushlstring(state, text.data(), text.size());
      return;
    }
    case json::Kind::array: return push_array(state, reader, sources);
    case json::Kind::object: return push_object(state, reader, sources);
  }
}

/// Writes a value recursively.
class Writing {
 public:
  Writing(lua_State* state, std::string& out, const JsonSources& sources, std::size_t most)
      : state_(state), out_(out), sources_(sources), most_(most) {}

  /// Writes and pops the value on top. `was` is its previous text; returns false if it did not change.
  bool value(std::string_view was) {
    luaL_checkstack(state_, 8, "too deep");
    if (++depth_ > deepest) luaL_error(state_, "a table is nested too deeply for JSON or contains itself");
    if (out_.size() > most_) luaL_error(state_, "the result is too large");
    const bool changed = lua_type(state_, -1) == LUA_TTABLE ? table(was) : scalar(was);
    lua_pop(state_, 1);
    --depth_;
    return changed;
  }

 private:
  bool scalar(std::string_view was) {
    if (!was.empty() && was.front() != '{' && was.front() != '[' && is_same(was)) {
      out_ += was;
      return false;
    }
    std::size_t size = 0;
    switch (lua_type(state_, -1)) {
      case LUA_TBOOLEAN: out_ += lua_toboolean(state_, -1) != 0 ? "true" : "false"; break;
      case LUA_TNUMBER: number(); break;
      case LUA_TSTRING: {
        const char* text = lua_tolstring(state_, -1, &size);
        if (out_.size() + size > most_) luaL_error(state_, "the result is too large");
        json::write_string(out_, {text, size});
        break;
      }
      case LUA_TLIGHTUSERDATA: out_ += "null"; break;
      default: luaL_error(state_, "a %s has no JSON form", luaL_typename(state_, -1));
    }
    return true;
  }

  bool is_same(std::string_view was) {
    JsonSources none;
    json::Reader reader(was);
    push_value(state_, reader, none);
    const bool same = lua_rawequal(state_, -1, -2) != 0 && lua_isinteger(state_, -1) == lua_isinteger(state_, -2);
    lua_pop(state_, 1);
    return same;
  }

  void number() {
    if (lua_isinteger(state_, -1) != 0) return json::write_number(out_, std::int64_t{lua_tointeger(state_, -1)});
    const double number = lua_tonumber(state_, -1);
    if (!std::isfinite(number)) luaL_error(state_, "infinite numbers have no JSON form");
    json::write_number(out_, number);
  }

  std::string_view source() {
    lua_rawgeti(state_, LUA_REGISTRYINDEX, sources_.table);
    lua_pushvalue(state_, -2);
    lua_rawget(state_, -2);
    const auto* text = static_cast<const std::string_view*>(lua_touserdata(state_, -1));
    lua_pop(state_, 2);
    return text != nullptr ? *text : std::string_view();
  }

  bool is_array(std::string_view source) {
    if (lua_getmetatable(state_, -1) != 0) {
      luaL_getmetatable(state_, array_mark);
      const bool marked = lua_rawequal(state_, -1, -2) != 0;
      lua_pop(state_, 2);
      if (marked) return true;
    }
    return !source.starts_with('{') && lua_rawlen(state_, -1) > 0;
  }

  bool table(std::string_view was) {
    const auto from = source();
    const auto begin = out_.size();
    const bool changed = is_array(from) ? array(from) : object(from);
    if (!changed && !from.empty()) {
      out_.resize(begin);
      out_ += from;
    }
    return changed || from.data() != was.data();
  }

  bool array(std::string_view from) {
    const auto size = lua_rawlen(state_, -1);
    const bool known = from.starts_with('[');
    json::Reader reader(known ? from : "[]");
    reader.open();
    bool changed = !known;
    out_ += '[';
    for (lua_Unsigned index = 1; index <= size; ++index) {
      if (index > 1) out_ += ',';
      const bool more = reader.more();
      const auto was = more ? reader.skip() : std::string_view();
      lua_rawgeti(state_, -1, static_cast<lua_Integer>(index));
      changed = value(was) || changed || !more;
    }
    out_ += ']';
    return changed || reader.more();
  }

  bool object(std::string_view from) {
    bool changed = !from.starts_with('{');
    const auto before = named_;
    auto others = names();
    const auto named = named_ - before;
    bool first = true;
    out_ += '{';
    const auto member = [&](std::string_view name, std::string_view was) {
      if (!std::exchange(first, false)) out_ += ',';
      json::write_string(out_, name);
      out_ += ':';
      lua_pushlstring(state_, name.data(), name.size());
      lua_rawget(state_, -2);
      changed = value(was) || changed;
    };
    json::Reader reader(changed ? "{}" : from);
    for (reader.open(); reader.more();) {
      const std::string name(reader.key());
      const auto was = reader.skip();
      if (others.erase(name) != 0) {
        member(name, was);
      } else {
        changed = true;
      }
    }
    for (const auto& name : others) {
      member(name, {});
      changed = true;
    }
    out_ += '}';
    named_ -= named;
    return changed;
  }

  std::set<std::string> names() {
    std::set<std::string> all;
    lua_pushnil(state_);
    while (lua_next(state_, -2) != 0) {
      lua_pop(state_, 1);
      if (lua_type(state_, -1) != LUA_TSTRING)
        luaL_error(state_, "a table with both names and numbers as keys has no JSON form");
      std::size_t size = 0;
      const char* text = lua_tolstring(state_, -1, &size);
      // A cyclic table would keep its names once per level.
      named_ += size + sizeof(std::string);
      if (named_ > most_) luaL_error(state_, "the result is too large");
      all.emplace(text, size);
    }
    return all;
  }

  lua_State* state_;
  std::string& out_;
  const JsonSources& sources_;
  std::size_t most_;
  std::size_t named_ = 0;  // Bytes of the names of all tables being written.
  int depth_ = 0;
};

}  // namespace

void open_values(lua_State* state) {
  luaL_newmetatable(state, array_mark);
  lua_pushliteral(state, "an array");
  lua_setfield(state, -2, "__metatable");
  lua_pop(state, 1);
  lua_pushlightuserdata(state, nullptr);
  lua_setglobal(state, "null");
  lua_register(state, "array", make_array);
}

void push_json(lua_State* state, std::string_view text, JsonSources& sources) {
  json::Reader reader(text);
  push_value(state, reader, sources);
}

void write_json(lua_State* state, int index, std::string& out, const JsonSources& sources, std::size_t most) {
  lua_pushvalue(state, index);
  Writing(state, out, sources, most).value({});
}

}  // namespace fairlead::gateway::lua
