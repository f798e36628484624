#include <fairlead/gateway/lua.hpp>

#include <fairlead/gateway/transformers.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <utility>

#include "gateway/lua/run.hpp"
#include "gateway/middleware/entries.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

class LuaScript final : public Middleware {
 public:
  explicit LuaScript(std::unique_ptr<lua::Machine> machine)
      : machine_(std::move(machine)), metadata_(machine_->has("metadata")), request_(machine_->has("request")) {}

  bool does_anything() const { return metadata_ || request_; }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    return is_ours(call) ? run(call, next) : next.call(call);
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    return is_ours(call) ? std::nullopt : next.answer_now(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    if (!is_ours(call)) return Explanation{.says = "changes lists only"};
    return Explanation{Explanation::Effect::unknown, "runs a script, which may change or refuse it"};
  }

 private:
  bool is_ours(const Call& call) const { return is_metadata(call.method) ? metadata_ : request_; }

  Task<Result<Reply>> run(Call& call, Service& next) {
    lua::Run running(*machine_, call);
    auto step = running.begin(is_metadata(call.method) ? "metadata" : "request");
    while (auto* asks = std::get_if<lua::Run::Asks>(&step)) {
      auto another = call;
      another.method = std::move(asks->method);
      another.params = std::move(asks->params);
      auto answer = co_await next.call(another);
      step = running.go_on(std::move(answer));
    }
    co_return std::get<Result<Reply>>(std::move(step));
  }

  std::unique_ptr<lua::Machine> machine_;
  bool metadata_;
  bool request_;
};

}  // namespace

Result<std::unique_ptr<Middleware>> lua_script(std::string name, std::string_view source, Loop loop, LuaLimits limits) {
  auto machine = lua::Machine::load(name, source, limits, loop.log);
  if (!machine) return std::unexpected(std::move(machine.error()));
  auto script = std::make_unique<LuaScript>(std::move(*machine));
  if (!script->does_anything()) {
    return fail(ErrorKind::invalid, name + ": defines neither metadata(next, value) nor request(next, value)");
  }
  return script;
}

Result<std::unique_ptr<Middleware>> lua_file(const std::string& path, Loop loop, LuaLimits limits) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::invalid, fmt::format("{} cannot be read", path));
  std::ostringstream source;
  source << file.rdbuf();
  return lua_script(std::filesystem::path(path).filename(), source.str(), std::move(loop), limits);
}

Registry::Entry lua_entry() {
  return {.usage = "lua(guard.lua, megabytes=32, instructions=10000000)",
          .summary = "Runs a script on metadata and requests, without access to anything else.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t most_megabytes = 1024, most_instructions = 10'000'000'000;
            LuaLimits limits;
            const auto file = arguments.text("file");
            if (!file) arguments.needs("file");
            if (const auto megabytes = arguments.number("megabytes", 1, most_megabytes)) {
              limits.memory = static_cast<std::size_t>(*megabytes) * 1024 * 1024;
            }
            if (const auto instructions = arguments.number("instructions", 1, most_instructions)) {
              limits.instructions = static_cast<std::uint64_t>(*instructions);
            }
            auto made = file ? lua_file(*file, std::move(loop), limits) : fail(ErrorKind::invalid, "");
            if (!made) arguments.wrong("file", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway
