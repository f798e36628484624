#include "gateway/lua/machine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "gateway/lua/protect.hpp"
#include "gateway/lua/run.hpp"
#include "gateway/lua/values.hpp"

namespace fairlead::gateway::lua {
namespace {

constexpr std::size_t longest_line = 8'192;  // Bytes of one print.

std::string position(lua_State* thread) {
  lua_Debug activation;
  for (int level = 0; lua_getstack(thread, level, &activation) != 0; ++level) {
    lua_getinfo(thread, "Sl", &activation);
    if (activation.currentline > 0) return fmt::format("{}:{}: ", activation.short_src, activation.currentline);
  }
  return {};
}

}  // namespace

Machine::Machine(std::string name, LuaLimits limits, LogSink& log)
    : name_(std::move(name)), limits_(limits), log_(log), allowance_{.most = limits.memory} {}

Machine& Machine::of(lua_State* state) {
  return **static_cast<Machine**>(lua_getextraspace(state));
}

void Machine::count(lua_State* state, lua_Debug*) {
  of(state).look(state, instructions_a_look);
}

void Machine::spend(lua_State* state, std::uint64_t instructions) {
  auto& machine = of(state);
  machine.unseen_ += instructions;
  if (machine.unseen_ >= instructions_a_look || machine.instructions_ <= instructions) {
    return machine.look(state, instructions);
  }
  machine.instructions_ -= instructions;
}

// Raises an error that nothing in a script can catch for good: at the next look it comes again.
void Machine::look(lua_State* state, std::uint64_t instructions) {
  const bool late = std::chrono::steady_clock::now() > until_;
  unseen_ = 0;
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

int Machine::say(lua_State* state) {
  std::string line;
  for (int index = 1; index <= lua_gettop(state); ++index) {
    std::size_t size = 0;
    const char* text = luaL_tolstring(state, index, &size);
    line += (index > 1 ? " " : "") + std::string(text, std::min(size, longest_line));
    lua_pop(state, 1);
    spend(state, 1);
    if (line.size() > longest_line) break;
  }
  if (line.size() > longest_line) line.replace(longest_line, std::string::npos, "… (cut)");
  spend(state, line.size());
  auto& machine = of(state);
  log(machine.log_, LogLevel::info, machine.name_, [&] { return line; });
  return 0;
}

int Machine::resume(lua_State* thread, int arguments, int* results) {
  const auto start = std::chrono::steady_clock::now();
  until_ = start + time_;
  allowance_.refusals = 0;
  // A hook begins to count anew when it is set, so that it is set once only; and waiting itself is not for nothing.
  if (lua_gethook(thread) == nullptr) lua_sethook(thread, count, LUA_MASKCOUNT, instructions_a_look);
  instructions_ -= std::min<std::uint64_t>(instructions_, instructions_a_look);
  const auto status = lua_resume(thread, state_.get(), arguments, results);
  time_ -= std::chrono::steady_clock::now() - start;
  return status;
}

std::string Machine::complaint(lua_State* thread, int status) {
  const auto where = position(thread);
  auto message =
      status == LUA_ERRMEM ? fmt::format("takes more than {} bytes of memory", limits_.memory) : take_message(thread);
  if (status == LUA_ERRMEM) protect(state_.get(), [](lua_State* state) { lua_gc(state, LUA_GCCOLLECT, 0); });
  return message.starts_with(name_ + ":") || where.empty() ? message : where + message;
}

bool Machine::has(const char* function) {
  bool found = false;
  protect(state_.get(), [&](lua_State* state) { found = push_global(state, function) == LUA_TFUNCTION; });
  return found;
}

Result<std::unique_ptr<Machine>> Machine::load(std::string name, std::string_view source, LuaLimits limits,
                                               LogSink& log) {
  std::unique_ptr<Machine> machine(new Machine(std::move(name), limits, log));
  machine->state_ = new_state(machine->allowance_);
  if (!machine->state_) return fail(ErrorKind::invalid, machine->name_ + ": not enough memory");
  auto* state = machine->state_.get();
  *static_cast<Machine**>(lua_getextraspace(state)) = machine.get();
  lua_State* thread = nullptr;
  auto wrong = protect(state, [&](lua_State* inside) {
    open_libraries(inside);
    open_values(inside);
    lua_register(inside, "print", say);
    const auto chunk = "@" + machine->name_;
    if (luaL_loadbufferx(inside, source.data(), source.size(), chunk.c_str(), "t") != LUA_OK) lua_error(inside);
    thread = lua_newthread(inside);
    luaL_ref(inside, LUA_REGISTRYINDEX);
    lua_xmove(inside, thread, 1);
  });
  if (!wrong.empty()) return fail(ErrorKind::invalid, wrong);
  machine->instructions_ = limits.instructions;
  machine->time_ = limits.time;
  int results = 0;
  const auto status = machine->resume(thread, 0, &results);
  if (status == LUA_YIELD) return fail(ErrorKind::invalid, machine->name_ + ": yields to nobody");
  if (status != LUA_OK) return fail(ErrorKind::invalid, machine->complaint(thread, status));
  return machine;
}

}  // namespace fairlead::gateway::lua
