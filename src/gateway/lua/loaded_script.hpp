#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/gateway/lua.hpp>

#include "gateway/lua/sandbox.hpp"

namespace fairlead::gateway::lua {

class ScriptCall;

/// A loaded script whose functions can be called. On one loop.
class LoadedScript : NonCopyable {
 public:
  /// `name` precedes the line in errors. `log` outlives it.
  static Result<std::unique_ptr<LoadedScript>> load(std::string name, std::string_view source, LuaLimits limits,
                                                    LogSink& log);

  bool has(const char* function);

  // Rare enough to be cheap, frequent enough to stop slow instructions.
  static constexpr int instructions_per_check = 100;

  /// Charges instructions for work of a C++ function. Raises the error that ends the script when its instructions or
  /// its time are used up.
  static void spend(lua_State* state, std::uint64_t instructions);

 private:
  friend class ScriptCall;

  LoadedScript(std::string name, LuaLimits limits, LogSink& log);
  static LoadedScript& of(lua_State* state);
  static void count(lua_State* state, lua_Debug* activation);
  static int print_line(lua_State* state);
  void check_limits(lua_State* state, std::uint64_t instructions);

  /// Returns LUA_OK, LUA_YIELD or an error, whose message is on top.
  int resume(lua_State* thread, int arguments, int* results);
  /// Error text with file and line.
  std::string error_text(lua_State* thread, int status);

  std::string name_;
  LuaLimits limits_;
  LogSink& log_;
  MemoryLimit memory_;
  LuaState state_;
  ScriptCall* current_ = nullptr;       // The running call.
  std::uint64_t instructions_ = 0;      // Instructions left.
  std::uint64_t unchecked_ = 0;         // Instructions since the last check of the clock.
  std::chrono::nanoseconds time_ = {};  // Time left at the last resume.
  std::chrono::steady_clock::time_point until_ = {};
};

}  // namespace fairlead::gateway::lua
