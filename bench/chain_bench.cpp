// What a chain costs a call: ten that stand idle may add 5 µs.
#include <benchmark/benchmark.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/wheel_driver.hpp>
#include <fairlead/gateway.hpp>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace fairlead;

class Answering final : public Service {
 public:
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(Notice&) override { co_return; }
};

/// Overrides nothing.
struct Untouched final : Middleware {};

/// Looks at the request only.
struct Looking final : Middleware {
  Task<Result<Reply>> call(Call& call, Service& next) override {
    benchmark::DoNotOptimize(call.method.size());
    return next.call(call);
  }
};

/// Looks at the answer too, which takes a coroutine.
struct Passing final : Middleware {
  Task<Result<Reply>> call(Call& call, Service& next) override { co_return co_await next.call(call); }
};

/// Stands in the way back as well.
struct BothWays final : TwoWayMiddleware {};

class NoBack final : public session::Backchannel {
 public:
  Task<Result<Reply>> ask(std::string, Payload) override { co_return Reply{}; }
  Task<Result<void>> tell(std::string, Payload) override { co_return Result<void>(); }
};

template <class M>
Chain many(std::int64_t count) {
  Chain all;
  for (std::int64_t i = 0; i < count; ++i) all = all.then(M());
  return all;
}

Task<void> call_again_and_again(Service& service, benchmark::State& state) {
  NoBack back;
  Call call{.method = "tools/call", .params = Payload::trusted(R"({"name":"echo","arguments":{"text":"hello"}})")};
  call.context.back = &back;
  call.context.principal = "ann";
  for ([[maybe_unused]] auto _ : state) {
    auto reply = co_await service.call(call);
    benchmark::DoNotOptimize(reply);
  }
}

template <class M>
void chain_of(benchmark::State& state) {
  Answering server;
  const auto service = many<M>(state.range(0)).then(server);
  boost::asio::io_context loop(1);
  boost::asio::co_spawn(loop, call_again_and_again(*service, state), [](const std::exception_ptr&) {});
  loop.run();
}

struct Step {
  const char* name;
  gateway::ArgumentList arguments = {};
};

/// Those that come with Fairlead, each so that it finds nothing to do in a call of `echo` by `ann`.
const std::vector<Step>& idle_steps() {
  static const std::vector<Step> all{
      {"log"},
      {"allow", {{"", "*"}}},
      {"deny", {{"", "nothing"}}},
      {"limit", {{"", "1000000000/s"}}},
      {"rename", {{"x", "y"}}},
      {"describe", {{"x", "y"}}},
      {"cache"},
      {"breaker"},
      {"retry"},
      {"timeout", {{"", "30s"}}},
      {"auth", {{"", "ann"}}},
      {"cli", {{"", "true"}}},
      {"fault", {{"tool", "nothing"}, {"error", "1"}}},
      {"headers", {{"who", "bob"}, {"forward", "X-Team"}}},
      {"pin", {{"", "/nonexistent/pins.json"}}},
      {"redact"},
      {"search"},
  };
  return all;
}

void call_through(benchmark::State& state, std::span<const Step> steps, std::string_view script = "") {
  Answering server;
  boost::asio::io_context loop(1);
  WheelDriver driver(loop.get_executor());
  NullSink log;
  const Loop whole{loop.get_executor(), driver.wheel(), log};
  const auto registry = gateway::Registry::standard();
  Chain all;
  for (const auto& [name, arguments] : steps) {
    auto made = registry.make(name, arguments, whole);
    if (!made) return state.SkipWithError(made.error().message.c_str());
    all = all.then(std::shared_ptr<Middleware>(std::move(*made)));
  }
  if (!script.empty()) all = all.then(std::shared_ptr<Middleware>(*gateway::lua_script("bench.lua", script, whole)));
  const auto service = all.then(server);
  boost::asio::co_spawn(loop, call_again_and_again(*service, state), [](const std::exception_ptr&) {});
  loop.run();
}

/// The first ten of them, none of which has anything to do.
void standard_chain(benchmark::State& state) {
  call_through(state, std::span(idle_steps()).first(10));
}

[[maybe_unused]] const bool each_alone = [] {
  benchmark::RegisterBenchmark("alone/nothing", [](benchmark::State& state) { call_through(state, {}); });
  for (const auto& step : idle_steps()) {
    benchmark::RegisterBenchmark((std::string("alone/") + step.name).c_str(),
                                 [&step](benchmark::State& state) { call_through(state, {&step, 1}); });
  }
  benchmark::RegisterBenchmark("alone/lua, metadata only", [](benchmark::State& state) {
    call_through(state, {}, "function metadata(next, value) return next(value) end");
  });
  benchmark::RegisterBenchmark("alone/lua, passing on", [](benchmark::State& state) {
    call_through(state, {}, "function request(next, value) return next(value) end");
  });
  return true;
}();

BENCHMARK(chain_of<Untouched>)->Arg(0)->Arg(1)->Arg(10);
BENCHMARK(chain_of<Looking>)->Arg(10);
BENCHMARK(chain_of<Passing>)->Arg(1)->Arg(10);
BENCHMARK(chain_of<BothWays>)->Arg(1)->Arg(10);
BENCHMARK(standard_chain);

}  // namespace
