#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/log.hpp>
#include <utility>

#include "gateway/asked_for.hpp"
#include "gateway/upstream/failure.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {
namespace asio = boost::asio;

namespace {

// Longer than that, a caller is better told than made to wait.
constexpr Duration worth_waiting = std::chrono::seconds{2};

}  // namespace

const client::ServerDescription* Upstream::known() const {
  return known_ ? &connection_.server() : nullptr;
}

Task<Result<client::ServerDescription>> Upstream::describe() {
  if (auto reached = co_await reach(); !reached) co_return std::unexpected(std::move(reached.error()));
  rest();  // Whoever only wants to know who it is may never call.
  co_return connection_.server();
}

Task<Result<void>> Upstream::reach() {
  // One starts it, the others wait for that, and share its outcome: a start that fails is not repeated for each.
  const bool waited = starting_;
  while (starting_ && !stopped_) co_await started_.wait();
  if (stopped_) co_return std::unexpected(stopped(options_));
  if (connection_.is_open()) co_return Result<void>();
  if (waited && start_failure_) co_return std::unexpected(*start_failure_);
  if (std::exchange(reached_, false)) note_failure(loss_.empty() ? "it has gone" : std::exchange(loss_, {}));
  const auto delay = restarts_.delay();
  if (delay > worth_waiting || restarts_.given_up()) co_return std::unexpected(not_now(options_.name, restarts_));
  start_failure_.reset();
  struct Starting {
    explicit Starting(Upstream& of) : upstream(of) { upstream.starting_ = true; }
    Starting(const Starting&) = delete;
    Starting& operator=(const Starting&) = delete;
    ~Starting() {
      upstream.starting_ = false;
      upstream.started_.ring();
    }
    Upstream& upstream;
  } const starting(*this);
  if (delay > Duration{}) {
    asio::steady_timer timer(loop_.executor, delay);
    co_await timer.async_wait(asio::use_awaitable);
  }
  co_return co_await start();
}

Task<Result<void>> Upstream::start() {
  std::optional<Turnstile::Pass> pass;
  if (options_.starting) {
    pass.emplace(co_await options_.starting->enter());
    if (!*pass) co_return fail(ErrorKind::cancelled, "cancelled while the server waited for its start");
  }
  if (stopped_) co_return std::unexpected(stopped(options_));
  ++options_.tally->starts;
  if (starts_++ > 0) ++options_.tally->restarts;
  auto reached = co_await connection_.reach();
  if (stopped_) co_return std::unexpected(stopped(options_));
  if (!reached) {
    if (reached.error().kind == ErrorKind::cancelled) co_return std::unexpected(std::move(reached.error()));
    const auto why = without(options_.secrets, std::move(reached.error()));
    // The same reason again and again is no news.
    const auto level = why.message == restarts_.last_error() ? LogLevel::debug : LogLevel::warning;
    note_failure(why.message);
    diagnosis_ = why.diagnosis;
    log(loop_.log, level, options_.name, [&] { return "could not be reached: " + one_line(why.message); });
    start_failure_ = unreachable(options_.name, why);
    co_return std::unexpected(*start_failure_);
  }
  restarts_.started();
  reached_ = known_ = true;
  callers_.reset();
  loss_.clear();
  level_.reset();
  co_return Result<void>();
}

void Upstream::lost(const Error& error) {
  constexpr std::size_t max_named = 5;
  const auto why = without(options_.secrets, error);
  // Other callers see this one: nothing that the server printed about somebody's call is in it.
  loss_ = without_output(why).message;
  diagnosis_ = why.diagnosis;
  log(loop_.log, LogLevel::warning, options_.name, [&] {
    std::string calls;
    std::size_t named = 0;
    for (const auto* visit : visits_.under_way()) {
      if (named++ == max_named) break;
      calls += (calls.empty() ? "" : ", ") + asked_for(visit->call());
    }
    if (visits_.count() > max_named) calls += " and " + std::to_string(visits_.count() - max_named) + " more";
    return one_line(why.message) + (calls.empty() ? "; no call was under way" : "; under way: " + calls);
  });
}

}  // namespace fairlead::gateway
