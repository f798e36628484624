#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <fairlead/session/service.hpp>
#include <optional>
#include <string>
#include <variant>

#include "gateway/lua/machine.hpp"
#include "gateway/lua/values.hpp"

namespace fairlead::gateway::lua {

/// One call of a function of a script, as a coroutine of Lua's: `next` in it waits for what stands behind.
class Run {
 public:
  /// Both outlive it.
  Run(Machine& machine, const session::Call& call);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run();

  /// What the script wants to know from `next` before it goes on.
  struct Asks {
    std::string method;
    json::Payload params;
  };
  using Step = std::variant<Asks, Result<session::Reply>>;

  Step begin(const char* function);
  Step go_on(Result<session::Reply> answer);

 private:
  static int next(lua_State* state);

  Step resume(int arguments);
  Result<session::Reply> failed(std::string message) const;
  Result<session::Reply> result(int results);
  void push_request(lua_State* state);
  std::string_view keep(const json::Payload& payload);
  Error refusal(lua_State* state, int index) const;

  Machine& machine_;
  const session::Call& call_;
  lua_State* thread_ = nullptr;
  int anchor_ = LUA_NOREF;  // Keeps the thread.
  Sources sources_;
  std::deque<json::Payload> texts_;  // Of which the script has tables.
  std::size_t kept_ = 0;             // Their bytes.
  std::uint64_t left_;               // Instructions.
  std::chrono::nanoseconds time_;    // Left.
  std::optional<Asks> asked_;
  Error last_error_;
  session::Reply last_reply_;
};

}  // namespace fairlead::gateway::lua
