#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/log.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/gateway/lua.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "gateway/lua/sandbox.hpp"

namespace fairlead::gateway::lua {

class Run;

/// A script that was read and has run once, so that its functions can be called. On one loop.
class Machine {
 public:
  /// `name` stands in errors, before the line. `log` outlives it.
  static Result<std::unique_ptr<Machine>> load(std::string name, std::string_view source, LuaLimits limits,
                                               LogSink& log);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  bool has(const char* function);

  // So seldom that it costs little; so often that what takes long in one instruction cannot be had many times.
  static constexpr int instructions_a_look = 100;

  /// Counts work of a function that is not written in Lua as so many instructions of the script that runs. Raises the
  /// error that ends the script when its instructions or its time are used up.
  static void spend(lua_State* state, std::uint64_t instructions);

 private:
  friend class Run;

  Machine(std::string name, LuaLimits limits, LogSink& log);
  static Machine& of(lua_State* state);
  static void count(lua_State* state, lua_Debug* activation);
  static int say(lua_State* state);
  void look(lua_State* state, std::uint64_t instructions);

  /// What came of resuming a thread: LUA_OK, LUA_YIELD or an error, whose message is on top.
  int resume(lua_State* thread, int arguments, int* results);
  /// An error's text, with file and line.
  std::string complaint(lua_State* thread, int status);

  std::string name_;
  LuaLimits limits_;
  LogSink& log_;
  Allowance allowance_;
  State state_;
  Run* current_ = nullptr;              // Which runs at this moment.
  std::uint64_t instructions_ = 0;      // Left for it.
  std::uint64_t unseen_ = 0;            // Spent since the clock was last looked at.
  std::chrono::nanoseconds time_ = {};  // Left for it when it was resumed.
  std::chrono::steady_clock::time_point until_ = {};
};

}  // namespace fairlead::gateway::lua
