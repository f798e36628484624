#include "gateway/lua/loaded_script.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "gateway/lua/json_values.hpp"
#include "gateway/lua/protected_call.hpp"
#include "gateway/lua/script_call.hpp"

namespace fairlead::gateway::lua {
namespace {

constexpr std::size_t max_line_bytes = 8'192;  // Bytes per print.

std::string position(lua_State* thread) {
  lua_Debug activation;
  for (int level = 0; lua_getstack(thread, level, &activation) != 0; ++level) {
    lua_getinfo(thread, "Sl", &activation);
    if (activation.currentline > 0) return fmt::format("{}:{}: ", activation.short_src, activation.currentline);
  }
  return {};
}

}  // namespace

LoadedScript::LoadedScript(std::string name, LuaLimits limits, LogSink& log)
    : name_(std::move(name)), limits_(limits), log_(log), memory_{.most = limits.memory} {}

LoadedScript& LoadedScript::of(lua_State* state) {
  return **static_cast<LoadedScript**>(lua_getextraspace(state));
}

void LoadedScript::count(lua_State* state, lua_Debug*) {
  of(state).check_limits(state, instructions_per_check);
}

void LoadedScript::spend(lua_State* state, std::uint64_t instructions) {
  auto& script = of(state);
  script.unchecked_ += instructions;
  if (script.unchecked_ >= instructions_per_check || script.instructions_ <= instructions) {
    return script.check_limits(state, instructions);
  }
  script.instructions_ -= instructions;
}

// Raises an error again at each check, so that a script cannot catch it permanently.
void LoadedScript::check_limits(lua_State* state, std::uint64_t instructions) {
  const bool late = std::chrono::steady_clock::now() > until_;
  unchecked_ = 0;
  if (instructions_ > instructions && !late) {
    instructions_ -= instructions;
    return;
  }
  instructions_ = 0;
  const auto where = position(state);
  const auto most = late ? limits_.time.count() : static_cast<std::int64_t>(limits_.instructions);
  lua_pushfstring(state, "%sruns for too long: more than %I %s in one call", where.c_str(),
                  static_cast<LUAI_UACINT>(most), late ? "ms" : "instructions");
  lua_error(state);
}

int LoadedScript::print_line(lua_State* state) {
  std::string line;
  for (int index = 1; index <= lua_gettop(state); ++index) {
    std::size_t size = 0;
    const char* text = luaL_tolstring(state, index, &size);
    line += (index > 1 ? " " : "") + std::string(text, std::min(size, max_line_bytes));
    lua_pop(state, 1);
    spend(state, 1);
    if (line.size() > max_line_bytes) break;
  }
  if (line.size() > max_line_bytes) line.replace(max_line_bytes, std::string::npos, "… (cut)");
  spend(state, line.size());
  auto& script = of(state);
  log(script.log_, LogLevel::info, script.name_, [&] { return line; });
  return 0;
}

int LoadedScript::resume(lua_State* thread, int arguments, int* results) {
  const auto start = std::chrono::steady_clock::now();
  until_ = start + time_;
  memory_.refusals = 0;
  // Setting a hook restarts its count, so it is set once. Each resume costs a check interval.
  if (lua_gethook(thread) == nullptr) lua_sethook(thread, count, LUA_MASKCOUNT, instructions_per_check);
  instructions_ -= std::min<std::uint64_t>(instructions_, instructions_per_check);
  const auto status = lua_resume(thread, state_.get(), arguments, results);
  time_ -= std::chrono::steady_clock::now() - start;
  return status;
}

std::string LoadedScript::error_text(lua_State* thread, int status) {
  const auto where = position(thread);
  auto message =
      status == LUA_ERRMEM ? fmt::format("takes more than {} bytes of memory", limits_.memory) : take_message(thread);
  if (status == LUA_ERRMEM) protect(state_.get(), [](lua_State* state) { lua_gc(state, LUA_GCCOLLECT, 0); });
  return message.starts_with(name_ + ":") || where.empty() ? message : where + message;
}

bool LoadedScript::has(const char* function) {
  bool found = false;
  protect(state_.get(), [&](lua_State* state) { found = push_global(state, function) == LUA_TFUNCTION; });
  return found;
}

Result<std::unique_ptr<LoadedScript>> LoadedScript::load(std::string name, std::string_view source, LuaLimits limits,
                                                         LogSink& log) {
  std::unique_ptr<LoadedScript> script(new LoadedScript(std::move(name), limits, log));
  script->state_ = new_state(script->memory_);
  if (!script->state_) return fail(ErrorKind::invalid, script->name_ + ": not enough memory");
  auto* state = script->state_.get();
  *static_cast<LoadedScript**>(lua_getextraspace(state)) = script.get();
  lua_State* thread = nullptr;
  auto error = protect(state, [&](lua_State* inside) {
    open_libraries(inside);
    open_values(inside);
    lua_register(inside, "print", print_line);
    const auto chunk = "@" + script->name_;
    if (luaL_loadbufferx(inside, source.data(), source.size(), chunk.c_str(), "t") != LUA_OK) lua_error(inside);
    thread = lua_newthread(inside);
    luaL_ref(inside, LUA_REGISTRYINDEX);
    lua_xmove(inside, thread, 1);
  });
  if (!error.empty()) return fail(ErrorKind::invalid, error);
  script->instructions_ = limits.instructions;
  script->time_ = limits.time;
  int results = 0;
  const auto status = script->resume(thread, 0, &results);
  if (status == LUA_YIELD) return fail(ErrorKind::invalid, script->name_ + ": coroutine.yield outside of a coroutine");
  if (status != LUA_OK) return fail(ErrorKind::invalid, script->error_text(thread, status));
  return script;
}

}  // namespace fairlead::gateway::lua
