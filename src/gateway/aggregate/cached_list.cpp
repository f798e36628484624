#include "gateway/aggregate/cached_list.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/next_turn.hpp"

namespace fairlead::gateway {

CachedList::CachedList(EventLoop loop, TaskScope& tasks, std::shared_ptr<Backend> backend, ListKind kind, bool lazy,
                       const CachedListOptions& options)
    : loop_(std::move(loop)),
      tasks_(tasks),
      backend_(std::move(backend)),
      kind_(kind),
      lazy_(lazy),
      options_(options),
      retry_delay_(options.initial_retry),
      refresh_timer_(loop_.timers, [this] { refresh(); }) {}

void CachedList::restore(BackendList list) {
  list.hints = {};
  last_ = std::make_shared<const BackendList>(std::move(list));
  restored_ = true;
}

bool CachedList::due() const {
  const auto& clock = loop_.timers.clock();
  if (in_flight_ || !not_before_.passed(clock)) return false;
  if (!last_ || stale_) return true;
  if (lazy_ && !backend_->is_connected()) return false;
  return restored_ || fresh_until_.passed(clock);
}

void CachedList::refresh() {
  if (in_flight_) return;
  in_flight_ = true;
  overdue_ = false;
  announced_ = std::exchange(stale_, false);
  refresh_timer_.disarm();
  if (!tasks_.spawn(run_fetch(shared_from_this()))) in_flight_ = false;
}

void CachedList::on_list_changed() {
  // The notification arrives once per open session: they count as one change.
  if (std::exchange(change_coalesced_, true)) return;
  boost::asio::post(loop_.executor, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->change_coalesced_ = false;
  });
  stale_ = true;
  // The running fetch may be older than the change: fetch again after it.
  if (in_flight_) return;
  if (not_before_.passed(loop_.timers.clock())) return refresh();
  refresh_timer_.arm(not_before_);
}

void CachedList::mark_overdue(Duration waited) {
  const auto seconds = std::chrono::duration<double>(waited).count();
  overdue_ = in_flight_;
  if (in_flight_) set_problem(fmt::format("no answer to {} within {:g} s", list_info(kind_).method, seconds));
}

CacheHints CachedList::hints() const {
  CacheHints left;
  if (!last_ || restored_ || stale_ || !problem_.empty()) return left;
  left = last_->hints;
  const auto rest = std::chrono::floor<std::chrono::milliseconds>(hinted_until_.remaining(loop_.timers.clock()));
  if (left.ttl) left.ttl = std::min(*left.ttl, rest);
  return left;
}

Task<void> CachedList::run_fetch(std::shared_ptr<CachedList> self) {
  // Fetches that one change causes start before the first of them completes, even if nothing waits.
  co_await next_turn;
  const auto until = Deadline::in(self->options_.fetch_timeout, self->loop_.timers.clock());
  Result<BackendList> fetched = fail(ErrorKind::closed, "the fetch of the list was aborted");
  std::exception_ptr thrown;
  try {
    fetched = co_await with_deadline(self->loop_.timers, until, self->fetch());
  } catch (...) {
    thrown = std::current_exception();
  }
  self->in_flight_ = false;
  // After a shutdown there is nothing to report.
  if (!self->tasks_.cancelled()) self->complete_fetch(std::move(fetched));
  if (thrown) std::rethrow_exception(thrown);
}

Task<Result<BackendList>> CachedList::fetch() {
  auto described = co_await backend_->describe();
  if (!described) co_return std::unexpected(std::move(described.error()));
  if (!is_offered(kind_, described->capabilities)) co_return BackendList();
  co_return co_await fetch_list(*backend_, kind_, options_.limits);
}

void CachedList::complete_fetch(Result<BackendList> fetched) {
  const auto before = last_;
  const FetchOutcome outcome{.changed = fetched && (!before || before->items != fetched->items),
                             .announced = announced_,
                             .superseded = stale_ && !announced_};
  if (fetched) {
    store(std::move(*fetched));
  } else {
    on_failure(fetched.error());
  }
  if (stale_) refresh_timer_.arm(not_before_);
  // A copy: the callback may replace itself.
  const auto on_fetched = on_fetched_;
  if (on_fetched) on_fetched(outcome);
}

void CachedList::store(BackendList list) {
  const auto& clock = loop_.timers.clock();
  fresh_until_ = freshness_deadline(list.hints);
  hinted_until_ = list.hints.ttl ? fresh_until_ : Deadline::never();
  last_ = std::make_shared<const BackendList>(std::move(list));
  restored_ = false;
  retry_delay_ = options_.initial_retry;
  // Limits fetches caused by the server only; requests of clients follow the cache hints.
  not_before_ = announced_ ? Deadline::in(options_.change_interval, clock) : Deadline::at(TimePoint{});
  if (problem_.empty()) return;
  problem_.clear();
  log(loop_.log, LogLevel::info, backend_->name(),
      [&] { return fmt::format("{} answers again", list_info(kind_).method); });
}

void CachedList::on_failure(const Error& error) {
  // An unreachable server, or one without a login, is logged once by the upstream, not once per list.
  const auto reason = json::member_of(error.data, "reason");
  const bool is_known = reason == R"("unreachable")" || reason == R"("sign_in_needed")";
  set_problem(fmt::format("{}: {}", list_info(kind_).method, error.message),
              is_known ? LogLevel::debug : LogLevel::warning);
  not_before_ = Deadline::in(retry_delay_, loop_.timers.clock());
  retry_delay_ = std::min(retry_delay_ * 2, options_.max_retry);
  // A lazy server is retried by the next request.
  if (!lazy_ || stale_ || announced_) refresh_timer_.arm(not_before_);
}

// Logged once until the next success.
void CachedList::set_problem(std::string why, LogLevel level) {
  const bool first = problem_.empty();
  problem_ = std::move(why);
  if (!first) return;
  const char* instead = last_ ? "; its last good list is used" : "; it is left out until it answers";
  log(loop_.log, level, backend_->name(), [&] { return problem_ + instead; });
}

Deadline CachedList::freshness_deadline(const CacheHints& hints) const {
  // An upper limit for `ttlMs`: a wrong value must not last for ever.
  constexpr std::chrono::milliseconds longest = std::chrono::hours{24};
  const auto& clock = loop_.timers.clock();
  if (hints.ttl) return Deadline::in(std::min(*hints.ttl, longest), clock);
  const auto* known = backend_->last_description();
  if (known && announces_changes(kind_, known->capabilities)) return Deadline::never();
  return Deadline::in(options_.default_ttl, clock);
}

}  // namespace fairlead::gateway
