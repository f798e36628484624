#include <fairlead/gateway/limit.hpp>

#include <fairlead/base/with_deadline.hpp>
#include <fmt/format.h>
#include <map>

#include "base/async_semaphore.hpp"
#include "base/duration.hpp"
#include "base/parse_number.hpp"
#include "base/scope_exit.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/caller_selection.hpp"
#include "gateway/middleware/token_bucket.hpp"
#include "gateway/model/call_label.hpp"
#include "gateway/model/gateway_error.hpp"
#include "gateway/model/request_target.hpp"
#include "gateway/model/task_extension.hpp"

namespace fairlead::gateway {
namespace {

/// State of one counter.
struct LimitCounter {
  LimitCounter(const LimitOptions& options, TimePoint now)
      : bucket(options.rate, options.burst, now), slots(options.concurrent) {}

  TokenBucket bucket;
  AsyncSemaphore slots;
  std::size_t inside = 0;   // Running and waiting calls.
  std::string caller = {};  // Caller that created it.
};

class Limit final : public Middleware {
 public:
  Limit(LimitOptions options, EventLoop loop) : options_(std::move(options)), loop_(std::move(loop)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    const auto target = target_of(call);
    // A task counts when it is started, not with each poll.
    if (!target || is_task_request(call.method) || !selects(options_.callers, call)) return next.call(call);
    const auto counter = counter_for(call, *target);
    if (options_.rate > 0) {
      const auto wait = counter->bucket.take(now());
      if (wait > Duration{}) return too_fast(call, wait);
    }
    return options_.concurrent > 0 ? call_with_slot(call, next, counter) : next.call(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    if (!selects(options_.callers, call)) return Explanation{.summary = "is not for this caller"};
    static constexpr std::string_view counter[] = {"per caller and tool", "per caller", "per tool", "for all calls"};
    std::string summary = "limits " + std::string(counter[std::to_underlying(options_.per)]);
    if (options_.rate > 0) summary += fmt::format(": {:g} per second, bursts of {}", options_.rate, options_.burst);
    if (options_.concurrent > 0) {
      summary += fmt::format("{} {} concurrent, {} queued for up to {}", options_.rate > 0 ? ";" : ":",
                             options_.concurrent, options_.queue, write_duration(options_.wait));
    }
    return Explanation{.summary = std::move(summary)};
  }

  std::vector<Metric> metrics() const override {
    constexpr auto refusals = "Calls refused by a limit.";
    double waiting = 0;
    for (const auto& [key, counter] : all_) waiting += static_cast<double>(counter->slots.waiting());
    return {{"limit_refusals", refusals, static_cast<double>(too_fast_), {{"limit", "rate"}}},
            {"limit_refusals", refusals, static_cast<double>(too_many_), {{"limit", "concurrent"}}},
            {.name = "limit_waiting", .help = "Calls queued by a limit.", .value = waiting, .gauge = true}};
  }

 private:
  // Callers can invent tool names, so each caller has a limited number of counters. Calls beyond share one counter per
  // caller.
  static constexpr std::size_t max_entries_per_caller = 1'000;
  static constexpr Duration tidy_every = std::chrono::seconds{1};

  TimePoint now() const { return loop_.timers.clock().now(); }

  std::string key_of(const Call& call, const RequestTarget& target) const {
    const bool by_caller = options_.per == LimitPer::caller_and_tool || options_.per == LimitPer::caller;
    const bool by_tool = options_.per == LimitPer::caller_and_tool || options_.per == LimitPer::tool;
    std::string key = by_caller ? call.context.principal : std::string();
    key += '\0';
    if (by_tool) key += std::string(use_method(target.kind)) + '\0' + target.named.name;
    return key;
  }

  std::shared_ptr<LimitCounter> counter_for(const Call& call, const RequestTarget& target) {
    const auto key = key_of(call, target);
    if (const auto found = all_.find(key); found != all_.end()) return found->second;
    const auto& caller = call.context.principal;
    auto& made = counters_by_caller_[caller];
    if (made >= max_entries_per_caller) drop_idle_counters();
    const bool is_full = made >= max_entries_per_caller;
    auto& entry = all_[is_full ? caller + std::string(2, '\0') : key];
    if (entry) return entry;
    entry = std::make_shared<LimitCounter>(options_, now());
    entry->caller = caller;
    ++made;
    return entry;
  }

  // Removes counters that are full and unused.
  void drop_idle_counters() {
    if (!tidy_after_.passed(loop_.timers.clock())) return;
    tidy_after_ = Deadline::in(tidy_every, loop_.timers.clock());
    std::erase_if(all_, [&](auto& each) {
      const bool goes = each.second->inside == 0 && each.second->bucket.is_full(now());
      if (goes) --counters_by_caller_[each.second->caller];
      return goes;
    });
  }

  Task<Result<Reply>> call_with_slot(Call& call, Service& next, std::shared_ptr<LimitCounter> counter) {
    if (counter->inside >= options_.concurrent + options_.queue) co_return too_many(call);
    ++counter->inside;
    const ScopeExit leave([&counter = *counter] { --counter.inside; });
    if (counter->inside <= options_.concurrent) {
      const auto permit = co_await counter->slots.acquire();
      co_return co_await next.call(call);
    }
    const auto deadline = Deadline::in(options_.wait, loop_.timers.clock());
    auto permit = co_await with_deadline(loop_.timers, deadline, acquire_slot(counter));
    if (!permit && permit.error().kind == ErrorKind::timeout) co_return too_many(call);
    if (!permit) co_return std::unexpected(std::move(permit.error()));
    co_return co_await next.call(call);
  }

  static Task<Result<std::shared_ptr<AsyncSemaphore::Permit>>> acquire_slot(std::shared_ptr<LimitCounter> counter) {
    auto permit = std::make_shared<AsyncSemaphore::Permit>(co_await counter->slots.acquire());
    if (!*permit) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
    co_return permit;
  }

  std::unexpected<Error> too_fast(const Call& call, Duration wait) {
    ++too_fast_;
    return rejected(fmt::format("{} is called too often; try again in {:.1f} s", call_label(call),
                                std::chrono::duration<double>(wait).count()),
                    "rate limit", wait);
  }

  std::unexpected<Error> too_many(const Call& call) {
    ++too_many_;
    return rejected(fmt::format("{}: {} calls are running and the queue is full; try again later", call_label(call),
                                options_.concurrent),
                    "concurrency limit", std::chrono::seconds{1});
  }

  LimitOptions options_;
  EventLoop loop_;
  std::map<std::string, std::shared_ptr<LimitCounter>> all_;
  std::map<std::string, std::size_t> counters_by_caller_;  // Number of counters by principal.
  Deadline tidy_after_ = Deadline::at(TimePoint{});
  std::uint64_t too_fast_ = 0;
  std::uint64_t too_many_ = 0;
};

// Parses `10/s`, `100/m`, `5/10s`.
std::optional<std::pair<double, std::size_t>> read_rate(std::string_view text) {
  const auto slash = text.find('/');
  const auto count = parse_number<std::size_t>(text.substr(0, slash)).value_or(0);
  if (slash == text.npos || count == 0) return {};
  std::string unit(text.substr(slash + 1));
  if (!unit.empty() && (unit.front() < '0' || unit.front() > '9')) unit.insert(unit.begin(), '1');
  const auto per = read_duration(unit);
  if (!per || *per <= Duration{}) return {};
  return std::pair(static_cast<double>(count) / std::chrono::duration<double>(*per).count(), count);
}

std::optional<LimitPer> read_limit_per(std::string_view text) {
  if (text == "caller") return LimitPer::caller;
  if (text == "tool") return LimitPer::tool;
  if (text == "all") return LimitPer::all;
  if (text == "both") return LimitPer::caller_and_tool;
  return std::nullopt;
}

LimitOptions read_limit(MiddlewareArguments& arguments) {
  constexpr std::int64_t most = 1'000'000;
  LimitOptions options;
  if (const auto rate = arguments.text("rate")) {
    const auto read = read_rate(*rate);
    if (!read) arguments.report_error("rate", fmt::format("expected a rate such as 10/s or 100/m, got '{}'", *rate));
    if (read) std::tie(options.rate, options.burst) = *read;
  }
  const auto count = [&](std::string_view name, std::int64_t least, std::size_t& into) {
    if (const auto number = arguments.number(name, least, most)) into = static_cast<std::size_t>(*number);
  };
  count("burst", 1, options.burst);
  count("concurrent", 1, options.concurrent);
  count("queue", 0, options.queue);
  options.wait = arguments.duration("wait").value_or(options.wait);
  if (const auto per = arguments.text("per")) {
    const auto known = read_limit_per(*per);
    if (!known) arguments.report_error("per", fmt::format("expected one of both, caller, tool, all, got '{}'", *per));
    options.per = known.value_or(options.per);
  }
  options.callers = read_caller_patterns(arguments);
  if (options.rate <= 0 && options.concurrent == 0) arguments.report_missing("rate");
  return options;
}

}  // namespace

std::unique_ptr<Middleware> limit(LimitOptions options, EventLoop loop) {
  return std::make_unique<Limit>(std::move(options), std::move(loop));
}

Registry::Entry limit_entry() {
  return {.usage = "limit(10/s, burst=20, concurrent=4, queue=8)",
          .summary = "Limits rate and concurrency per caller and tool.",
          .make = [](MiddlewareArguments& arguments, EventLoop loop) -> Result<std::unique_ptr<Middleware>> {
            return limit(read_limit(arguments), std::move(loop));
          }};
}

}  // namespace fairlead::gateway
