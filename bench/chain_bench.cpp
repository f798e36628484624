// The cost of a middleware chain per call. Goal: ten idle middlewares add at most 5 µs.
#include <benchmark/benchmark.h>
#include <boost/asio/io_context.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <fairlead/gateway.hpp>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace fairlead;

class FixedReplyService final : public Service {
 public:
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(Notification&) override { co_return; }
};

/// Overrides no function.
struct NoOverrides final : Middleware {};

/// Reads the request only.
struct RequestReader final : Middleware {
  Task<Result<Reply>> call(Call& call, Service& next) override {
    benchmark::DoNotOptimize(call.method.size());
    return next.call(call);
  }
};

/// Reads the reply too, which needs a coroutine.
struct ReplyReader final : Middleware {
  Task<Result<Reply>> call(Call& call, Service& next) override { co_return co_await next.call(call); }
};

/// Also handles requests from server to client.
struct Bidirectional final : BidirectionalMiddleware {};

class DroppingChannel final : public session::PeerChannel {
 public:
  Task<Result<Reply>> request(std::string, Payload) override { co_return Reply{}; }
  Task<Result<void>> notify(std::string, Payload) override { co_return Result<void>(); }
};

template <class M>
Chain many(std::int64_t count) {
  Chain all;
  for (std::int64_t i = 0; i < count; ++i) all = all.then(M());
  return all;
}

Task<void> call_again_and_again(Service& service, benchmark::State& state) {
  DroppingChannel back;
  Call call{.method = "tools/call", .params = Payload::trusted(R"({"name":"echo","arguments":{"text":"hello"}})")};
  call.context.peer = &back;
  call.context.principal = "ann";
  for ([[maybe_unused]] auto _ : state) {
    auto reply = co_await service.call(call);
    benchmark::DoNotOptimize(reply);
  }
}

template <class M>
void chain_of(benchmark::State& state) {
  FixedReplyService server;
  const auto service = many<M>(state.range(0)).then(server);
  boost::asio::io_context loop(1);
  async_start(loop, call_again_and_again(*service, state), [](const std::exception_ptr&) {});
  loop.run();
}

struct Step {
  const char* name;
  gateway::ArgumentList arguments = {};
};

/// The built-in middlewares, configured so that a call of `echo` by `ann` needs no work.
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
  FixedReplyService server;
  boost::asio::io_context loop(1);
  TimerWheelDriver driver(loop.get_executor());
  NullSink log;
  const EventLoop whole{loop.get_executor(), driver.wheel(), log};
  const auto registry = gateway::Registry::standard();
  Chain all;
  for (const auto& [name, arguments] : steps) {
    auto made = registry.make(name, arguments, whole);
    if (!made) return state.SkipWithError(made.error().message.c_str());
    all = all.then(std::shared_ptr<Middleware>(std::move(*made)));
  }
  if (!script.empty()) all = all.then(std::shared_ptr<Middleware>(*gateway::lua_script("bench.lua", script, whole)));
  const auto service = all.then(server);
  async_start(loop, call_again_and_again(*service, state), [](const std::exception_ptr&) {});
  loop.run();
}

/// The first ten of them, idle.
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
  benchmark::RegisterBenchmark("alone/lua, forwarding", [](benchmark::State& state) {
    call_through(state, {}, "function request(next, value) return next(value) end");
  });
  return true;
}();

BENCHMARK(chain_of<NoOverrides>)->Arg(0)->Arg(1)->Arg(10);
BENCHMARK(chain_of<RequestReader>)->Arg(10);
BENCHMARK(chain_of<ReplyReader>)->Arg(1)->Arg(10);
BENCHMARK(chain_of<Bidirectional>)->Arg(1)->Arg(10);
BENCHMARK(standard_chain);

}  // namespace
