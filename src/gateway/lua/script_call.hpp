#pragma once

#include <fairlead/session/service.hpp>
#include <variant>

#include "gateway/lua/json_values.hpp"
#include "gateway/lua/loaded_script.hpp"

namespace fairlead::gateway::lua {

/// One call of a script function as a Lua coroutine; `next` yields until the next service has answered.
class ScriptCall : NonCopyable {
 public:
  /// The arguments outlive it.
  ScriptCall(LoadedScript& script, const session::Call& call);
  ~ScriptCall();

  /// A call of `next`.
  struct NextCall {
    std::string method;
    json::Payload params;
  };
  using Step = std::variant<NextCall, Result<session::Reply>>;

  Step begin(const char* function);
  Step resume(Result<session::Reply> answer);

 private:
  static int next(lua_State* state);

  Step run(int arguments);
  Result<session::Reply> failed(std::string message) const;
  Result<session::Reply> result(int results);
  void push_request(lua_State* state);
  std::string_view keep(const json::Payload& payload);
  Error refusal(lua_State* state, int index) const;

  LoadedScript& script_;
  const session::Call& call_;
  lua_State* thread_ = nullptr;
  int anchor_ = LUA_NOREF;  // Registry reference that keeps the thread alive.
  JsonSources sources_;
  std::deque<json::Payload> texts_;  // JSON that the script has tables of.
  std::size_t text_bytes_ = 0;       // Size of `texts_` in bytes.
  std::uint64_t left_;               // Instructions left.
  std::chrono::nanoseconds time_;    // Time left.
  std::optional<NextCall> next_call_;
  Error last_error_;
  session::Reply last_reply_;
};

}  // namespace fairlead::gateway::lua
