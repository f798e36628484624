#include "gateway/lua/script_call.hpp"

#include <fairlead/gateway/middleware.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <utility>

#include "gateway/lua/protected_call.hpp"
#include "gateway/model/identity_json.hpp"

namespace fairlead::gateway::lua {
namespace {

void set_text(lua_State* state, const char* name, std::string_view text) {
  lua_pushlstring(state, text.data(), text.size());
  lua_setfield(state, -2, name);
}

// Raw access, because metamethods would run without an instruction count.
int push_raw_field(lua_State* state, int index, const char* name) {
  index = lua_absindex(state, index);
  lua_pushstring(state, name);
  return lua_rawget(state, index);
}

std::string text_field(lua_State* state, int index, const char* name, const char* otherwise) {
  push_raw_field(state, index, name);
  std::size_t size = 0;
  const char* text = lua_type(state, -1) == LUA_TSTRING ? lua_tolstring(state, -1, &size) : nullptr;
  std::string found = text != nullptr ? std::string(text, size) : otherwise;
  lua_pop(state, 1);
  return found;
}

}  // namespace

ScriptCall::ScriptCall(LoadedScript& script, const session::Call& call)
    : script_(script), call_(call), left_(script.limits_.instructions), time_(script.limits_.time) {}

ScriptCall::~ScriptCall() {
  auto* state = script_.state_.get();
  luaL_unref(state, LUA_REGISTRYINDEX, anchor_);
  luaL_unref(state, LUA_REGISTRYINDEX, sources_.table);
}

std::string_view ScriptCall::keep(const json::Payload& payload) {
  const auto text = texts_.emplace_back(payload.empty() ? json::Payload::trusted("{}") : payload).text();
  text_bytes_ += text.size();
  return text;
}

void ScriptCall::push_request(lua_State* state) {
  lua_newtable(state);
  set_text(state, "method", call_.method);
  set_text(state, "principal", call_.context.principal);
  if (const auto& identity = call_.context.identity) {
    push_json(state, keep(json::Payload::trusted(identity_json(*identity))), sources_);
    lua_setfield(state, -2, "identity");
  }
  push_json(state, keep(call_.params), sources_);
  lua_setfield(state, -2, "params");
}

ScriptCall::Step ScriptCall::begin(const char* function) {
  auto error = protect(script_.state_.get(), [&](lua_State* state) {
    lua_newtable(state);
    lua_newtable(state);
    set_text(state, "__mode", "k");
    lua_setmetatable(state, -2);
    sources_.table = luaL_ref(state, LUA_REGISTRYINDEX);
    thread_ = lua_newthread(state);
    anchor_ = luaL_ref(state, LUA_REGISTRYINDEX);
    push_global(state, function);
    lua_pushcfunction(state, next);
    push_request(state);
    luaL_checkstack(thread_, 8, "too deep");
    lua_xmove(state, thread_, 3);
  });
  return error.empty() ? run(2) : Step(failed(script_.name_ + ": " + error));
}

ScriptCall::Step ScriptCall::resume(Result<session::Reply> answer) {
  if (text_bytes_ > script_.limits_.memory) return failed(script_.name_ + ": the replies exceed its memory limit");
  auto error = protect(script_.state_.get(), [&](lua_State* state) {
    luaL_checkstack(thread_, 8, "too deep");
    if (answer) {
      last_reply_ = std::move(*answer);
      push_json(state, keep(last_reply_.body), sources_);
      lua_pushnil(state);
    } else {
      last_error_ = std::move(answer.error());
      lua_pushnil(state);
      lua_newtable(state);
      lua_pushinteger(state, last_error_.code);
      lua_setfield(state, -2, "code");
      set_text(state, "message", last_error_.message);
    }
    lua_xmove(state, thread_, 2);
  });
  return error.empty() ? run(2) : Step(failed(script_.name_ + ": " + error));
}

// `local result, failure = next(value)`; without a value it forwards the request unchanged.
int ScriptCall::next(lua_State* state) {
  auto* run = LoadedScript::of(state).current_;
  if (run == nullptr || state != run->thread_) {
    return luaL_error(state, "next cannot be called from a coroutine of the script");
  }
  NextCall next_call{.method = run->call_.method, .params = run->call_.params};
  if (!lua_isnoneornil(state, 1)) {
    luaL_checktype(state, 1, LUA_TTABLE);
    next_call.method = text_field(state, 1, "method", "");
    if (next_call.method.empty()) return luaL_error(state, "next expects a request: {method = ..., params = ...}");
    if (push_raw_field(state, 1, "params") == LUA_TNIL) lua_newtable(state);
    luaL_argcheck(state, lua_istable(state, -1), 1, "params is not a table");
    std::string text;
    write_json(state, -1, text, run->sources_, run->script_.limits_.memory);
    LoadedScript::spend(state, text.size() / 16);
    next_call.params = json::Payload::trusted(std::move(text));
  }
  run->next_call_ = std::move(next_call);
  return lua_yield(state, 0);
}

ScriptCall::Step ScriptCall::run(int arguments) {
  script_.current_ = this;
  script_.instructions_ = left_;
  script_.time_ = time_;
  int results = 0;
  const auto status = script_.resume(thread_, arguments, &results);
  left_ = script_.instructions_;
  time_ = script_.time_;
  script_.current_ = nullptr;
  if (status == LUA_OK) return result(results);
  if (status != LUA_YIELD) return failed(script_.error_text(thread_, status));
  if (auto next_call = std::exchange(next_call_, std::nullopt)) return std::move(*next_call);
  return failed(script_.name_ + ": coroutine.yield outside of a coroutine; only next may wait");
}

Result<session::Reply> ScriptCall::failed(std::string message) const {
  log(script_.log_, LogLevel::warning, script_.name_, [&] { return message; });
  return refuse("the script failed: " + message, jsonrpc::code::internal_error);
}

Error ScriptCall::refusal(lua_State* state, int index) const {
  if (lua_type(state, index) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* text = lua_tolstring(state, index, &size);
    return refuse(std::string(text, size)).error();
  }
  const auto message = text_field(state, index, "message", "refused by a script");
  constexpr lua_Integer usual = -32000;
  push_raw_field(state, index, "code");
  const auto code = lua_isinteger(state, -1) != 0 ? lua_tointeger(state, -1) : usual;
  // An error that is returned unchanged keeps its hidden members.
  if (message == last_error_.message && code == last_error_.code) return last_error_;
  auto error = refuse(message, code == 0 ? usual : code).error();
  if (push_raw_field(state, index, "data") != LUA_TNIL) {
    write_json(state, -1, error.data, sources_, script_.limits_.memory);
  }
  return error;
}

Result<session::Reply> ScriptCall::result(int results) {
  std::optional<Result<session::Reply>> made;
  auto error = protect(script_.state_.get(), [&](lua_State* state) {
    luaL_checkstack(state, results + 4, "too deep");
    lua_xmove(thread_, state, results);
    const auto first = lua_gettop(state) - results + 1;
    if (results >= 1 && lua_istable(state, first)) {
      std::string text;
      write_json(state, first, text, sources_, script_.limits_.memory);
      if (!text.starts_with('{')) luaL_error(state, "expected a result with named members, got a list");
      made = session::Reply{json::Payload::trusted(std::move(text)), last_reply_.kind, last_reply_.other_kind,
                            last_reply_.written_in};
    } else if (results >= 2 && (lua_istable(state, first + 1) || lua_isstring(state, first + 1))) {
      made = std::unexpected(refusal(state, first + 1));
    }
  });
  if (!error.empty()) return failed(script_.name_ + ": " + error);
  if (!made) return failed(script_.name_ + ": returns neither a result nor nil and an error");
  return std::move(*made);
}

}  // namespace fairlead::gateway::lua
