#include <fairlead/gateway/lua.hpp>

#include <fairlead/gateway/transformers.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/read_file.hpp"
#include "gateway/lua/script_call.hpp"
#include "gateway/middleware/builtin_middleware.hpp"

namespace fairlead::gateway {
namespace {

class LuaMiddleware final : public Middleware {
 public:
  explicit LuaMiddleware(std::unique_ptr<lua::LoadedScript> script)
      : script_(std::move(script)), metadata_(script_->has("metadata")), request_(script_->has("request")) {}

  bool does_anything() const { return metadata_ || request_; }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    return is_ours(call) ? run(call, next) : next.call(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    if (!is_ours(call)) return Explanation{.summary = "changes lists only"};
    return Explanation{Explanation::Effect::unknown, "runs a script, which may change or refuse it"};
  }

 private:
  bool is_ours(const Call& call) const { return is_metadata(call.method) ? metadata_ : request_; }

  Task<Result<Reply>> run(Call& call, Service& next) {
    lua::ScriptCall running(*script_, call);
    auto step = running.begin(is_metadata(call.method) ? "metadata" : "request");
    while (auto* next_call = std::get_if<lua::ScriptCall::NextCall>(&step)) {
      auto another = call;
      another.method = std::move(next_call->method);
      another.params = std::move(next_call->params);
      auto answer = co_await next.call(another);
      step = running.resume(std::move(answer));
    }
    co_return std::get<Result<Reply>>(std::move(step));
  }

  std::unique_ptr<lua::LoadedScript> script_;
  bool metadata_;
  bool request_;
};

}  // namespace

Result<std::unique_ptr<Middleware>> lua_script(std::string name, std::string_view source, EventLoop loop,
                                               LuaLimits limits) {
  auto script = lua::LoadedScript::load(name, source, limits, loop.log);
  if (!script) return std::unexpected(std::move(script.error()));
  auto middleware = std::make_unique<LuaMiddleware>(std::move(*script));
  if (!middleware->does_anything()) {
    return fail(ErrorKind::invalid, name + ": defines neither metadata(next, value) nor request(next, value)");
  }
  return middleware;
}

Result<std::unique_ptr<Middleware>> lua_file(const std::string& path, EventLoop loop, LuaLimits limits) {
  auto source = read_file(path);
  if (!source) return fail(ErrorKind::invalid, fmt::format("{} {}", path, source.error().message));
  return lua_script(std::filesystem::path(path).filename(), *std::move(source), std::move(loop), limits);
}

Registry::Entry lua_entry() {
  return {.usage = "lua(guard.lua, megabytes=32, instructions=10000000)",
          .summary = "Runs a sandboxed Lua script on metadata and requests.",
          .make = [](MiddlewareArguments& arguments, EventLoop loop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t max_megabytes = 1024, max_instructions = 10'000'000'000;
            LuaLimits limits;
            const auto file = arguments.text("file");
            if (!file) arguments.report_missing("file");
            if (const auto megabytes = arguments.number("megabytes", 1, max_megabytes)) {
              limits.memory = static_cast<std::size_t>(*megabytes) * 1024 * 1024;
            }
            if (const auto instructions = arguments.number("instructions", 1, max_instructions)) {
              limits.instructions = static_cast<std::uint64_t>(*instructions);
            }
            auto made = file ? lua_file(*file, std::move(loop), limits) : fail(ErrorKind::invalid, "");
            if (!made) arguments.report_error("file", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway
