#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>

#include "gateway/model/backend_list.hpp"

namespace fairlead::gateway {

struct CachedListOptions {
  Duration fetch_timeout = std::chrono::minutes{2};  ///< Limit of one fetch.
  Duration default_ttl =
      std::chrono::seconds{60};  ///< Used if the server gives no `ttlMs` and does not announce changes.
  Duration change_interval =
      std::chrono::milliseconds{100};  ///< Minimum between two fetches caused by list-changed notifications.
  Duration initial_retry = std::chrono::seconds{1};  ///< After a failure; doubled by each further one
  Duration max_retry = std::chrono::minutes{1};      ///< up to this value.
  ListLimits limits = {};
};

/// One list of one backend: the last value, and when to fetch it again.
///
/// At most one fetch runs at a time. Used on one event loop.
class CachedList : public std::enable_shared_from_this<CachedList>, NonCopyable {
 public:
  /// Outcome of a fetch.
  struct FetchOutcome {
    bool changed = false;     ///< The list differs from the previous one.
    bool announced = false;   ///< The server had announced the change.
    bool superseded = false;  ///< Another change was announced during the fetch; the next fetch reports both.
  };
  using OnFetched = std::function<void(const FetchOutcome&)>;

  /// `lazy`: a stopped server is not started to refresh a known list. `tasks` must outlive it.
  CachedList(EventLoop loop, TaskScope& tasks, std::shared_ptr<Backend> backend, ListKind kind, bool lazy,
             const CachedListOptions& options);

  void on_fetched(OnFetched callback) { on_fetched_ = std::move(callback); }

  /// The last fetched list; null before the first.
  const std::shared_ptr<const BackendList>& last() const { return last_; }
  /// Sets the list of an earlier run.
  void restore(BackendList list);
  /// Whether the list comes from an earlier run.
  bool restored() const { return restored_; }

  bool due() const;
  bool in_flight() const { return in_flight_; }
  /// Starts a fetch, unless one is running.
  void refresh();
  /// Handles a list-changed notification of the server.
  void on_list_changed();

  /// Why the list may be outdated; empty for none.
  const std::string& problem() const { return problem_; }
  /// A request has timed out waiting for the current fetch.
  void mark_overdue(Duration waited);
  /// Whether mark_overdue() was called for the running fetch.
  bool overdue() const { return overdue_ && in_flight_; }
  /// Remaining cache hints for clients.
  CacheHints hints() const;

 private:
  static Task<void> run_fetch(std::shared_ptr<CachedList> self);
  Task<Result<BackendList>> fetch();
  void complete_fetch(Result<BackendList> fetched);
  void store(BackendList list);
  void on_failure(const Error& error);
  void set_problem(std::string why, LogLevel level = LogLevel::warning);
  Deadline freshness_deadline(const CacheHints& hints) const;

  EventLoop loop_;
  TaskScope& tasks_;
  std::shared_ptr<Backend> backend_;
  const ListKind kind_;
  const bool lazy_;
  const CachedListOptions options_;
  OnFetched on_fetched_;

  std::shared_ptr<const BackendList> last_;
  Deadline fresh_until_;
  Deadline hinted_until_;                            // From the server's `ttlMs`.
  Deadline not_before_ = Deadline::at(TimePoint{});  // Earliest next fetch after a failure or a burst of changes.
  Duration retry_delay_;
  bool restored_ = false;
  bool stale_ = false;             // The server announced a change
  bool change_coalesced_ = false;  // A change was announced in this iteration of the event loop.
  bool announced_ = false;         // The running fetch was caused by an announced change.
  bool in_flight_ = false;
  bool overdue_ = false;
  std::string problem_;
  Timer refresh_timer_;
};

}  // namespace fairlead::gateway
