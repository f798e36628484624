#include <fairlead/gateway/fault.hpp>

#include <charconv>
#include <fairlead/base/log.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <list>
#include <random>
#include <utility>

#include "gateway/asked_for.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/middleware/pause.hpp"
#include "gateway/middleware/subject.hpp"
#include "gateway/middleware/trickle.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

/// What happens to one request. Drawn at once, so that it depends on the requests before it and on nothing else.
struct Fate {
  Duration wait = {};
  bool drop = false, wrong_id = false, error = false, truncate = false, reorder = false;
};

class Faulty final : public Middleware {
 public:
  Faulty(FaultOptions options, Loop loop)
      : options_(std::move(options)), loop_(std::move(loop)), random_(options_.seed) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    return is_concerned(call) ? suffer(call, next, draw()) : next.call(call);
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    return is_concerned(call) ? std::nullopt : next.answer_now(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    if (!is_concerned(call)) return Explanation{.says = "is meant for other tools"};
    return Explanation{Explanation::Effect::unknown, "delays it, and lets some calls fail on purpose"};
  }

 private:
  bool is_concerned(const Call& call) const {
    if (call.method == protocol::Initialize::method || call.method == protocol::Discover::method) return false;
    if (options_.tools.empty()) return true;
    const auto subject = subject_of(call);
    return subject && subject->kind == ListKind::tools && any_matches(options_.tools, subject->named.name);
  }

  // From 0 to 1; the library's own distributions differ from one to another.
  double chance() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  Fate draw() {
    Fate fate{.wait = options_.latency + std::chrono::duration_cast<Duration>(options_.jitter * chance())};
    fate.drop = chance() < options_.drop;
    fate.wrong_id = chance() < options_.wrong_id;
    fate.error = chance() < options_.error;
    fate.truncate = chance() < options_.truncate;
    fate.reorder = chance() < options_.reorder;
    return fate;
  }

  Task<Result<Reply>> suffer(Call& call, Service& next, Fate fate) {
    const auto name = asked_for(call);
    if (fate.wait > Duration{} && !co_await pause(loop_.timers, fate.wait)) co_return cancelled();
    if (fate.drop) {
      tell(name, "is dropped");
      co_return co_await silence(call);
    }
    if (fate.error) {
      tell(name, "fails");
      co_return fail(ErrorKind::closed, "HTTP 503 (a fault that was asked for)");
    }
    auto reply = co_await slowly(call, next);
    if (fate.wrong_id) {
      tell(name, "is answered to nobody");
      co_return co_await silence(call);
    }
    if (fate.reorder) {
      tell(name, "is overtaken");
      co_await be_overtaken();
    } else {
      let_pass();
    }
    if (!fate.truncate || !reply) co_return reply;
    tell(name, "is cut off");
    co_return fail(ErrorKind::malformed,
                   fmt::format("the answer ends after {} of {} bytes (a fault that was asked for)",
                               reply->body.text().size() / 2, reply->body.text().size()));
  }

  Task<Result<Reply>> slowly(Call& call, Service& next) {
    if (options_.slow <= Duration{}) co_return co_await next.call(call);
    Trickle trickle(call, loop_, options_.slow);
    auto reply = co_await next.call(call);
    const bool still_wanted = co_await trickle.all_told();
    co_return still_wanted ? std::move(reply) : Result<Reply>(cancelled());
  }

  Task<Result<Reply>> silence(const Call& call) {
    const auto patience = std::min(call.patience.idle, call.patience.cap);
    if (!co_await pause(loop_.timers, patience)) co_return cancelled();
    co_return fail(ErrorKind::timeout, "no answer came (a fault that was asked for)");
  }

  Task<void> be_overtaken() {
    Promise<bool> passed;
    Timer late(loop_.timers, [&passed] { passed.set(true); });
    late.arm(Deadline::in(std::chrono::seconds{1}, loop_.timers.clock()));
    const auto place = held_.insert(held_.end(), &passed);
    co_await passed.wait(true);
    held_.erase(place);
  }

  void let_pass() {
    for (auto* each : held_) each->set(true);
  }

  static std::unexpected<Error> cancelled() { return fail(ErrorKind::cancelled, "cancelled by the caller"); }

  void tell(const std::string& name, std::string_view what) const {
    log(loop_.log, LogLevel::info, "fault", [&] { return fmt::format("{} {}", name, what); });
  }

  FaultOptions options_;
  Loop loop_;
  std::mt19937_64 random_;
  std::list<Promise<bool>*> held_;
};

// `10%` or `0.1`.
double read_share(Arguments& arguments, std::string_view name) {
  auto text = arguments.text(name);
  if (!text) return 0;
  const bool percent = text->ends_with('%');
  if (percent) text->pop_back();
  double share = -1;
  const auto* last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, share);
  if (percent) share /= 100;
  if (error != std::errc{} || end != last || !(share >= 0 && share <= 1)) {
    arguments.wrong(name, fmt::format("'{}' is no share; write 10% or 0.1", *text));
  }
  return share;
}

}  // namespace

std::unique_ptr<Middleware> fault(FaultOptions options, Loop loop) {
  return std::make_unique<Faulty>(std::move(options), std::move(loop));
}

Registry::Entry fault_entry() {
  return {.usage = "fault(latency=100ms, drop=5%, error=10%, seed=7)",
          .summary = "Delays, drops, breaks, cuts, reorders and slows down answers, for tests.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
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
