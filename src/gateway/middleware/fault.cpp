#include <fairlead/gateway/fault.hpp>

#include <fairlead/base/log.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <list>
#include <random>

#include "base/parse_number.hpp"
#include "gateway/middleware/async_sleep.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/delayed_channel.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/model/call_label.hpp"
#include "gateway/model/request_target.hpp"

namespace fairlead::gateway {
namespace {

/// Faults of one request, drawn at its start so that they depend on the seed and the earlier requests only.
struct FaultDecision {
  Duration wait = {};
  bool drop = false, wrong_id = false, error = false, truncate = false, reorder = false;
};

class FaultInjector final : public Middleware {
 public:
  FaultInjector(FaultOptions options, EventLoop loop)
      : options_(std::move(options)), loop_(std::move(loop)), random_(options_.seed) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    return applies_to(call) ? inject(call, next, draw()) : next.call(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    if (!applies_to(call)) return Explanation{.summary = "applies to other tools"};
    return Explanation{Explanation::Effect::unknown, "injects delays and failures"};
  }

 private:
  bool applies_to(const Call& call) const {
    if (call.method == protocol::Initialize::method || call.method == protocol::Discover::method) return false;
    if (options_.tools.empty()) return true;
    const auto target = target_of(call);
    return target && target->kind == ListKind::tools && any_matches(options_.tools, target->named.name);
  }

  // From 0 to 1. Not std::uniform_real_distribution, which differs between libraries.
  double chance() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  FaultDecision draw() {
    FaultDecision decision{.wait = options_.latency + std::chrono::duration_cast<Duration>(options_.jitter * chance())};
    decision.drop = chance() < options_.drop;
    decision.wrong_id = chance() < options_.wrong_id;
    decision.error = chance() < options_.error;
    decision.truncate = chance() < options_.truncate;
    decision.reorder = chance() < options_.reorder;
    return decision;
  }

  Task<Result<Reply>> inject(Call& call, Service& next, FaultDecision decision) {
    const auto name = call_label(call);
    if (decision.wait > Duration{} && !co_await async_sleep(loop_.timers, decision.wait)) co_return cancelled();
    if (decision.drop) {
      log_fault(name, "is dropped");
      co_return co_await wait_for_timeout(call);
    }
    if (decision.error) {
      log_fault(name, "fails");
      co_return fail(ErrorKind::closed, "HTTP 503 (injected fault)");
    }
    auto reply = co_await call_slowly(call, next);
    if (decision.wrong_id) {
      log_fault(name, "loses its reply");
      co_return co_await wait_for_timeout(call);
    }
    if (decision.reorder) {
      log_fault(name, "is reordered");
      co_await hold_back();
    } else {
      release_held();
    }
    if (!decision.truncate || !reply) co_return reply;
    log_fault(name, "is cut off");
    co_return fail(ErrorKind::malformed, fmt::format("the answer ends after {} of {} bytes (injected fault)",
                                                     reply->body.text().size() / 2, reply->body.text().size()));
  }

  Task<Result<Reply>> call_slowly(Call& call, Service& next) {
    if (options_.slow <= Duration{}) co_return co_await next.call(call);
    DelayedChannel channel(call, loop_, options_.slow);
    auto reply = co_await next.call(call);
    const bool still_wanted = co_await channel.all_sent();
    co_return still_wanted ? std::move(reply) : Result<Reply>(cancelled());
  }

  Task<Result<Reply>> wait_for_timeout(const Call& call) {
    const auto timeouts = std::min(call.timeouts.idle, call.timeouts.total);
    if (!co_await async_sleep(loop_.timers, timeouts)) co_return cancelled();
    co_return fail(ErrorKind::timeout, "no answer came (injected fault)");
  }

  Task<void> hold_back() {
    Promise<bool> passed;
    Timer late(loop_.timers, [&passed] { passed.set(true); });
    late.arm(Deadline::in(std::chrono::seconds{1}, loop_.timers.clock()));
    const auto place = held_.insert(held_.end(), &passed);
    const auto released = co_await passed.wait();
    // Not inside the loop of release_held().
    if (released) co_await next_turn;
    held_.erase(place);
  }

  void release_held() {
    for (auto* each : held_) each->set(true);
  }

  static std::unexpected<Error> cancelled() { return fail(ErrorKind::cancelled, "cancelled by the caller"); }

  void log_fault(const std::string& name, std::string_view what) const {
    log(loop_.log, LogLevel::info, "fault", [&] { return fmt::format("{} {}", name, what); });
  }

  FaultOptions options_;
  EventLoop loop_;
  std::mt19937_64 random_;
  std::list<Promise<bool>*> held_;
};

// Parses `10%` or `0.1`.
double read_share(MiddlewareArguments& arguments, std::string_view name) {
  auto text = arguments.text(name);
  if (!text) return 0;
  const bool percent = text->ends_with('%');
  if (percent) text->pop_back();
  const double share = parse_number<double>(*text).value_or(-1) / (percent ? 100 : 1);
  if (!(share >= 0 && share <= 1)) {
    arguments.report_error(name, fmt::format("expected a share such as 10% or 0.1, got '{}'", *text));
  }
  return share;
}

}  // namespace

std::unique_ptr<Middleware> fault(FaultOptions options, EventLoop loop) {
  return std::make_unique<FaultInjector>(std::move(options), std::move(loop));
}

Registry::Entry fault_entry() {
  return {.usage = "fault(latency=100ms, drop=5%, error=10%, seed=7)",
          .summary = "Injects faults for tests: delays, drops, errors, truncates, reorders and slows down replies.",
          .make = [](MiddlewareArguments& arguments, EventLoop loop) -> Result<std::unique_ptr<Middleware>> {
            FaultOptions options;
            options.latency = arguments.duration("latency").value_or(Duration{});
            options.jitter = arguments.duration("jitter").value_or(Duration{});
            options.slow = arguments.duration("slow").value_or(Duration{});
            options.drop = read_share(arguments, "drop");
            options.wrong_id = read_share(arguments, "wrong_id");
            options.error = read_share(arguments, "error");
            options.truncate = read_share(arguments, "truncate");
            options.reorder = read_share(arguments, "reorder");
            const auto seed = arguments.number("seed", 0, std::numeric_limits<std::int64_t>::max());
            options.seed = static_cast<std::uint64_t>(seed.value_or(1));
            options.tools = arguments.texts("tool");
            return fault(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway
