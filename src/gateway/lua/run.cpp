#include "gateway/lua/run.hpp"

#include <fairlead/gateway/middleware.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <utility>

#include "gateway/lua/protect.hpp"

namespace fairlead::gateway::lua {
namespace {

void set_text(lua_State* state, const char* name, std::string_view text) {
  lua_pushlstring(state, text.data(), text.size());
  lua_setfield(state, -2, name);
}

// Raw, for metamethods would run outside of the run, where no instruction is counted.
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

Run::Run(Machine& machine, const session::Call& call)
    : machine_(machine), call_(call), left_(machine.limits_.instructions), time_(machine.limits_.time) {}

Run::~Run() {
  auto* state = machine_.state_.get();
  luaL_unref(state, LUA_REGISTRYINDEX, anchor_);
  luaL_unref(state, LUA_REGISTRYINDEX, sources_.table);
}

std::string_view Run::keep(const json::Payload& payload) {
  const auto text = texts_.emplace_back(payload.empty() ? json::Payload::trusted("{}") : payload).text();
  kept_ += text.size();
  return text;
}

void Run::push_request(lua_State* state) {
  lua_newtable(state);
  set_text(state, "method", call_.method);
  set_text(state, "principal", call_.context.principal);
  push_json(state, keep(call_.params), sources_);
  lua_setfield(state, -2, "params");
}

Run::Step Run::begin(const char* function) {
  auto wrong = protect(machine_.state_.get(), [&](lua_State* state) {
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
  return wrong.empty() ? resume(2) : Step(failed(machine_.name_ + ": " + wrong));
}

Run::Step Run::go_on(Result<session::Reply> answer) {
  if (kept_ > machine_.limits_.memory) return failed(machine_.name_ + ": asks for more than it has memory");
  auto wrong = protect(machine_.state_.get(), [&](lua_State* state) {
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
  return wrong.empty() ? resume(2) : Step(failed(machine_.name_ + ": " + wrong));
}

// `local result, failure = next(value)`; without a value it is the request as it came.
int Run::next(lua_State* state) {
  auto* run = Machine::of(state).current_;
  if (run == nullptr || state != run->thread_) {
    return luaL_error(state, "next can be called by the function that was given it, not by a coroutine of its own");
  }
  Asks asks{.method = run->call_.method, .params = run->call_.params};
  if (!lua_isnoneornil(state, 1)) {
    luaL_checktype(state, 1, LUA_TTABLE);
    asks.method = text_field(state, 1, "method", "");
    if (asks.method.empty()) return luaL_error(state, "next wants a request: {method = ..., params = ...}");
    if (push_raw_field(state, 1, "params") == LUA_TNIL) lua_newtable(state);
    luaL_argcheck(state, lua_istable(state, -1), 1, "params is no table");
    std::string text;
    write_json(state, -1, text, run->sources_, run->machine_.limits_.memory);
    Machine::spend(state, text.size() / 16);
    asks.params = json::Payload::trusted(std::move(text));
  }
  run->asked_ = std::move(asks);
  return lua_yield(state, 0);
}

Run::Step Run::resume(int arguments) {
  machine_.current_ = this;
  machine_.instructions_ = left_;
  machine_.time_ = time_;
  int results = 0;
  const auto status = machine_.resume(thread_, arguments, &results);
  left_ = machine_.instructions_;
  time_ = machine_.time_;
  machine_.current_ = nullptr;
  if (status == LUA_OK) return result(results);
  if (status != LUA_YIELD) return failed(machine_.complaint(thread_, status));
  if (auto asked = std::exchange(asked_, std::nullopt)) return std::move(*asked);
  return failed(machine_.name_ + ": yields to nobody; only next may wait");
}

Result<session::Reply> Run::failed(std::string message) const {
  log(machine_.log_, LogLevel::warning, machine_.name_, [&] { return message; });
  return refuse("the script failed: " + message, jsonrpc::code::internal_error);
}

Error Run::refusal(lua_State* state, int index) const {
  if (lua_type(state, index) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* text = lua_tolstring(state, index, &size);
    return refuse(std::string(text, size)).error();
  }
  const auto message = text_field(state, index, "message", "refused by a script");
  constexpr lua_Integer usual = -32000;
  push_raw_field(state, index, "code");
  const auto code = lua_isinteger(state, -1) != 0 ? lua_tointeger(state, -1) : usual;
  // One that is passed on stays what it was, with all that a script does not see of it.
  if (message == last_error_.message && code == last_error_.code) return last_error_;
  auto error = refuse(message, code == 0 ? usual : code).error();
  if (push_raw_field(state, index, "data") != LUA_TNIL) {
    write_json(state, -1, error.data, sources_, machine_.limits_.memory);
  }
  return error;
}

Result<session::Reply> Run::result(int results) {
  std::optional<Result<session::Reply>> made;
  auto wrong = protect(machine_.state_.get(), [&](lua_State* state) {
    luaL_checkstack(state, results + 4, "too deep");
    lua_xmove(thread_, state, results);
    const auto first = lua_gettop(state) - results + 1;
    if (results >= 1 && lua_istable(state, first)) {
      std::string text;
      write_json(state, first, text, sources_, machine_.limits_.memory);
      if (!text.starts_with('{')) luaL_error(state, "a result has names, and is no list");
      made = session::Reply{json::Payload::trusted(std::move(text)), last_reply_.kind, last_reply_.other_kind,
                            last_reply_.written_in};
    } else if (results >= 2 && (lua_istable(state, first + 1) || lua_isstring(state, first + 1))) {
      made = std::unexpected(refusal(state, first + 1));
    }
  });
  if (!wrong.empty()) return failed(machine_.name_ + ": " + wrong);
  if (!made) return failed(machine_.name_ + ": returns neither a result nor nil and an error");
  return std::move(*made);
}

}  // namespace fairlead::gateway::lua
