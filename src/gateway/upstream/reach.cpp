#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/log.hpp>
#include <utility>

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
  // One starts it, the others wait for that.
  while (starting_) co_await started_.wait();
  if (connection_.is_open()) co_return Result<void>();
  if (std::exchange(reached_, false)) note_failure("it has gone");
  const auto delay = restarts_.delay();
  if (delay > worth_waiting || restarts_.given_up()) co_return std::unexpected(not_now(options_.name, restarts_));
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
  ++options_.tally->starts;
  if (starts_++ > 0) ++options_.tally->restarts;
  auto reached = co_await connection_.reach();
  if (!reached) {
    if (reached.error().kind == ErrorKind::cancelled) co_return std::unexpected(std::move(reached.error()));
    const auto why = without(options_.secrets, std::move(reached.error()));
    note_failure(why.message);
    log(loop_.log, LogLevel::warning, options_.name, [&] { return "could not be reached: " + why.message; });
    co_return std::unexpected(unreachable(options_.name, why));
  }
  restarts_.started();
  reached_ = known_ = true;
  level_.reset();
  co_return Result<void>();
}

}  // namespace fairlead::gateway
