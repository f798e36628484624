#include <fairlead/gateway/limit.hpp>

#include <charconv>
#include <fairlead/base/with_deadline.hpp>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "base/duration.hpp"
#include "gateway/asked_for.hpp"
#include "gateway/middleware/bucket.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/subject.hpp"
#include "gateway/middleware/trouble.hpp"
#include "gateway/upstream/turnstile.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

/// What is counted together.
struct Counted {
  Counted(const LimitOptions& options, TimePoint now)
      : bucket(options.rate, options.burst, now), places(options.concurrent) {}

  Bucket bucket;
  Turnstile places;
  std::size_t inside = 0;   // With those that wait.
  std::string caller = {};  // Who called first.
};

class Limit final : public Middleware {
 public:
  Limit(LimitOptions options, Loop loop) : options_(options), loop_(std::move(loop)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    const auto subject = subject_of(call);
    if (!subject) return next.call(call);
    const auto counted = counted_with(call, *subject);
    if (options_.rate > 0) {
      const auto wait = counted->bucket.take(now());
      if (wait > Duration{}) return at_once(too_fast(call, wait));
    }
    return options_.concurrent > 0 ? call_in_turn(call, next, counted) : next.call(call);
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    return subject_of(call) ? std::nullopt : next.answer_now(call);
  }

  std::optional<Explanation> explain(Call&, Service&) const override {
    static constexpr std::string_view counted[] = {"for each caller and tool", "for each caller", "for each tool",
                                                   "for all together"};
    std::string says = "counts " + std::string(counted[std::to_underlying(options_.per)]);
    if (options_.rate > 0) says += fmt::format(": {:g} a second, {} at once", options_.rate, options_.burst);
    if (options_.concurrent > 0) {
      says += fmt::format("{} {} under way, {} wait for up to {}", options_.rate > 0 ? ";" : ":", options_.concurrent,
                          options_.queue, write_duration(options_.wait));
    }
    return Explanation{.says = std::move(says)};
  }

  std::vector<Count> counts() const override {
    constexpr auto refusals = "Calls that a limit has refused.";
    double waiting = 0;
    for (const auto& [key, counted] : all_) waiting += static_cast<double>(counted->places.waiting());
    return {{"limit_refusals", refusals, static_cast<double>(too_fast_), {{"limit", "rate"}}},
            {"limit_refusals", refusals, static_cast<double>(too_many_), {{"limit", "concurrent"}}},
            {.name = "limit_waiting", .help = "Calls that wait for others to end.", .value = waiting, .gauge = true}};
  }

 private:
  // Callers choose the names of tools. Each has so many counters; what it calls beyond them is counted together, and
  // apart from what others call.
  static constexpr std::size_t most_of_a_caller = 1'000;
  static constexpr Duration tidy_every = std::chrono::seconds{1};

  TimePoint now() const { return loop_.timers.clock().now(); }

  std::string key_of(const Call& call, const Subject& subject) const {
    const bool by_caller = options_.per == LimitPer::caller_and_tool || options_.per == LimitPer::caller;
    const bool by_tool = options_.per == LimitPer::caller_and_tool || options_.per == LimitPer::tool;
    std::string key = by_caller ? call.context.principal : std::string();
    key += '\0';
    if (by_tool) key += std::string(use_of(subject.kind)) + '\0' + subject.named.name;
    return key;
  }

  std::shared_ptr<Counted> counted_with(const Call& call, const Subject& subject) {
    const auto key = key_of(call, subject);
    if (const auto found = all_.find(key); found != all_.end()) return found->second;
    const auto& caller = call.context.principal;
    auto& made = made_by_[caller];
    if (made >= most_of_a_caller) tidy_up();
    const bool is_full = made >= most_of_a_caller;
    auto& entry = all_[is_full ? caller + std::string(2, '\0') : key];
    if (entry) return entry;
    entry = std::make_shared<Counted>(options_, now());
    entry->caller = caller;
    ++made;
    return entry;
  }

  // Counters that tell nothing of the past any more go.
  void tidy_up() {
    if (!tidy_after_.passed(loop_.timers.clock())) return;
    tidy_after_ = Deadline::in(tidy_every, loop_.timers.clock());
    std::erase_if(all_, [&](auto& each) {
      const bool goes = each.second->inside == 0 && each.second->bucket.is_full(now());
      if (goes) --made_by_[each.second->caller];
      return goes;
    });
  }

  Task<Result<Reply>> call_in_turn(Call& call, Service& next, std::shared_ptr<Counted> counted) {
    if (counted->inside >= options_.concurrent + options_.queue) co_return too_many(call);
    struct Inside {
      explicit Inside(Counted& of) : counted(of) { ++counted.inside; }
      Inside(const Inside&) = delete;
      Inside& operator=(const Inside&) = delete;
      ~Inside() { --counted.inside; }
      Counted& counted;
    } const inside(*counted);
    if (counted->inside <= options_.concurrent) {
      const auto turn = co_await counted->places.enter();
      co_return co_await next.call(call);
    }
    const auto deadline = Deadline::in(options_.wait, loop_.timers.clock());
    auto turn = co_await with_deadline(loop_.timers, deadline, enter(counted));
    if (!turn && turn.error().kind == ErrorKind::timeout) co_return too_many(call);
    if (!turn) co_return std::unexpected(std::move(turn.error()));
    co_return co_await next.call(call);
  }

  static Task<Result<std::shared_ptr<Turnstile::Pass>>> enter(std::shared_ptr<Counted> counted) {
    auto turn = std::make_shared<Turnstile::Pass>(co_await counted->places.enter());
    if (!*turn) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
    co_return turn;
  }

  std::unexpected<Error> too_fast(const Call& call, Duration wait) {
    ++too_fast_;
    return not_made(fmt::format("{} is called too often; try again in {:.1f} s", asked_for(call),
                                std::chrono::duration<double>(wait).count()),
                    "rate limit", wait);
  }

  std::unexpected<Error> too_many(const Call& call) {
    ++too_many_;
    return not_made(fmt::format("{}: {} calls are under way already, and no more may wait; try again later",
                                asked_for(call), options_.concurrent),
                    "concurrency limit", std::chrono::seconds{1});
  }

  LimitOptions options_;
  Loop loop_;
  std::map<std::string, std::shared_ptr<Counted>> all_;
  std::map<std::string, std::size_t> made_by_;  // Of them, by principal.
  Deadline tidy_after_ = Deadline::at(TimePoint{});
  std::uint64_t too_fast_ = 0;
  std::uint64_t too_many_ = 0;
};

// `10/s`, `100/m`, `5/10s`.
std::optional<std::pair<double, std::size_t>> read_rate(std::string_view text) {
  const auto slash = text.find('/');
  std::size_t count = 0;
  const auto number = text.substr(0, slash);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (slash == text.npos || error != std::errc{} || end != number.data() + number.size() || count == 0) return {};
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

LimitOptions read_limit(Arguments& arguments) {
  constexpr std::int64_t most = 1'000'000;
  LimitOptions options;
  if (const auto rate = arguments.text("rate")) {
    const auto read = read_rate(*rate);
    if (!read) arguments.wrong("rate", fmt::format("'{}' is no rate; write 10/s or 100/m", *rate));
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
    if (!known) arguments.wrong("per", fmt::format("'{}' is none of both, caller, tool, all", *per));
    options.per = known.value_or(options.per);
  }
  if (options.rate <= 0 && options.concurrent == 0) arguments.needs("rate");
  return options;
}

}  // namespace

std::unique_ptr<Middleware> limit(LimitOptions options, Loop loop) {
  return std::make_unique<Limit>(options, std::move(loop));
}

Registry::Entry limit_entry() {
  return {.usage = "limit(10/s, burst=20, concurrent=4, queue=8)",
          .summary = "Refuses what a caller asks of a tool too often, or too much at a time.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
            return limit(read_limit(arguments), std::move(loop));
          }};
}

}  // namespace fairlead::gateway
