#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/log.hpp>
#include <utility>

#include "base/scope_exit.hpp"
#include "gateway/model/call_label.hpp"
#include "gateway/upstream/server_token_source.hpp"
#include "gateway/upstream/upstream.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway {
namespace asio = boost::asio;

namespace {

// Callers wait at most this long for a delayed start; otherwise they get an error.
constexpr Duration max_start_wait = std::chrono::seconds{2};

}  // namespace

const client::ServerDescription* Upstream::last_description() const {
  return known_ ? &connection_.server() : nullptr;
}

Task<Result<client::ServerDescription>> Upstream::describe() {
  if (auto reached = co_await ensure_connected(); !reached) co_return std::unexpected(std::move(reached.error()));
  arm_idle_timer();  // A description may not be followed by a call.
  co_return connection_.server();
}

Task<Result<void>> Upstream::ensure_connected() {
  // One caller connects; the others wait and share its outcome, so that a failing start is not repeated for each.
  const bool waited = starting_;
  while (starting_ && !stopped_) co_await started_.wait();
  if (stopped_) co_return std::unexpected(stopped(options_));
  if (connection_.is_open()) co_return Result<void>();
  if (waited && start_failure_) co_return std::unexpected(*start_failure_);
  if (std::exchange(reached_, false))
    record_failure(disconnect_reason_.empty() ? "the connection was closed" : std::exchange(disconnect_reason_, {}));
  const auto delay = backoff_.delay();
  if (delay > max_start_wait || backoff_.given_up()) co_return std::unexpected(backing_off(options_.name, backoff_));
  start_failure_.reset();
  starting_ = true;
  const ScopeExit started([this] {
    starting_ = false;
    started_.notify();
  });
  if (delay > Duration{}) {
    asio::steady_timer timer(loop_.executor, delay);
    co_await timer.async_wait(use_task);
  }
  co_return co_await connect();
}

Task<Result<void>> Upstream::connect() {
  std::optional<AsyncSemaphore::Permit> permit;
  if (options_.start_permits) {
    permit.emplace(co_await options_.start_permits->acquire());
    if (!*permit) co_return fail(ErrorKind::cancelled, "cancelled while the server waited to be started");
  }
  if (stopped_) co_return std::unexpected(stopped(options_));
  ++options_.counters->starts;
  if (starts_++ > 0) ++options_.counters->restarts;
  auto reached = co_await connection_.ensure_connected();
  if (stopped_) co_return std::unexpected(stopped(options_));
  if (!reached) {
    if (reached.error().kind == ErrorKind::cancelled) co_return std::unexpected(std::move(reached.error()));
    if (is_credential_error(reached.error()))
      co_return std::unexpected(on_missing_credential(std::move(reached.error())));
    const auto why = redacted(options_.secrets, std::move(reached.error()));
    // Repeated failures for the same reason are logged at debug level.
    const auto level = why.message == backoff_.last_error() ? LogLevel::debug : LogLevel::warning;
    record_failure(why.message);
    diagnosis_ = why.diagnosis;
    log(loop_.log, level, options_.name, [&] { return "could not be reached: " + one_line(why.message); });
    start_failure_ = unreachable(options_.name, why);
    co_return std::unexpected(*start_failure_);
  }
  missing_credential_.clear();
  backoff_.started();
  reached_ = known_ = true;
  caller_history_.reset();
  disconnect_reason_.clear();
  level_.reset();
  co_return Result<void>();
}

// Not a failure of the server: the next call tries again without a delay, because a user may have signed in.
Error Upstream::on_missing_credential(Error why) {
  const auto error = redacted(options_.secrets, std::move(why));
  const auto level = error.message == missing_credential_ ? LogLevel::debug : LogLevel::warning;
  missing_credential_ = error.message;
  log(loop_.log, level, options_.name, [&] { return one_line(error.message); });
  start_failure_ = sign_in_error(options_.name, error);
  return *start_failure_;
}

void Upstream::on_disconnect(const Error& error) {
  constexpr std::size_t max_named = 5;
  const auto why = redacted(options_.secrets, error);
  // Other callers see this text: it must not contain output of the server about one caller's call.
  disconnect_reason_ = without_output(why).message;
  diagnosis_ = why.diagnosis;
  log(loop_.log, LogLevel::warning, options_.name, [&] {
    std::string calls;
    std::size_t named = 0;
    for (const auto* active : active_calls_.calls()) {
      if (named++ == max_named) break;
      calls += (calls.empty() ? "" : ", ") + call_label(active->call());
    }
    if (active_calls_.count() > max_named)
      calls += " and " + std::to_string(active_calls_.count() - max_named) + " more";
    return one_line(why.message) + (calls.empty() ? "; no calls in flight" : "; calls in flight: " + calls);
  });
}

}  // namespace fairlead::gateway
