// What a chain costs a call: ten that stand idle may add 5 µs.
#include <benchmark/benchmark.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/wheel_driver.hpp>
#include <fairlead/gateway.hpp>

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

/// Ten that come with Fairlead, none of which has anything to do.
void standard_chain(benchmark::State& state) {
  Answering server;
  boost::asio::io_context loop(1);
  WheelDriver driver(loop.get_executor());
  NullSink log;
  const auto registry = gateway::Registry::standard();
  const std::pair<const char*, gateway::ArgumentList> steps[] = {
      {"log", {}},
      {"allow", {{"", "*"}}},
      {"deny", {{"", "nothing"}}},
      {"limit", {{"", "1000000000/s"}}},
      {"rename", {{"x", "y"}}},
      {"describe", {{"x", "y"}}},
      {"cache", {}},
      {"breaker", {}},
      {"retry", {}},
      {"timeout", {{"", "30s"}}},
  };
  Chain all;
  for (const auto& [name, arguments] : steps) {
    auto made = registry.make(name, arguments, {loop.get_executor(), driver.wheel(), log});
    all = all.then(std::shared_ptr<Middleware>(std::move(*made)));
  }
  const auto service = all.then(server);
  boost::asio::co_spawn(loop, call_again_and_again(*service, state), [](const std::exception_ptr&) {});
  loop.run();
}

BENCHMARK(chain_of<Untouched>)->Arg(0)->Arg(1)->Arg(10);
BENCHMARK(chain_of<Looking>)->Arg(10);
BENCHMARK(chain_of<Passing>)->Arg(1)->Arg(10);
BENCHMARK(chain_of<BothWays>)->Arg(1)->Arg(10);
BENCHMARK(standard_chain);

}  // namespace
