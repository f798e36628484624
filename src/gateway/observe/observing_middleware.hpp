#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <unordered_set>

#include "gateway/model/backend_lookup.hpp"
#include "gateway/model/list_kind.hpp"
#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

/// The current observers. May change while calls are pending. On one loop.
class ObserverList {
 public:
  using List = std::vector<std::shared_ptr<Observer>>;

  void add(std::shared_ptr<Observer> observer);
  /// The observer still gets the end of pending calls.
  void remove(const Observer& observer);

  /// Snapshot of the observers; null for none.
  const std::shared_ptr<const List>& now() const { return now_; }

  const Redactor& redactor() const { return redactor_; }

 private:
  std::shared_ptr<const List> now_;
  Redactor redactor_;
};

/// Configuration of an `ObservingMiddleware`.
struct ObservationPoint {
  Hop hop = Hop::front;
  std::string server = {};                     ///< The server that it precedes; empty for several.
  const session::Service* backends = nullptr;  ///< Looks up the owner of a target; null to ask the next service.
  bool plain = false;                          ///< Observers do not use `CallRecord::listed`.
};

/// Reports each call to the observers. Forwards calls directly while there are none.
class ObservingMiddleware final : public Middleware {
 public:
  /// `clock` outlives it.
  ObservingMiddleware(std::shared_ptr<const ObserverList> observers, const Clock& clock, ObservationPoint post)
      : observers_(std::move(observers)), clock_(clock), post_(std::move(post)) {
    if (post_.backends != nullptr) backends_.emplace(*post_.backends);
  }

  Task<Result<session::Reply>> call(session::Call& call, session::Service& next) override {
    const auto& observers = observers_->now();
    return observers ? observed(call, next, observers) : next.call(call);
  }

 private:
  class ObservedCall;

  Task<Result<session::Reply>> observed(session::Call& call, session::Service& next,
                                        std::shared_ptr<const ObserverList::List> observers);
  /// Fills in the start of a record. Returns the kind of its target.
  std::optional<ListKind> start_record(CallRecord& record, const session::Call& call,
                                       const session::Service& next) const;
  std::string server_of(std::optional<ListKind> kind, std::string_view target, const session::Service& next) const;
  void finish_record(CallRecord& record, std::optional<ListKind> kind, const session::Service& next,
                     const Result<session::Reply>& reply);
  void learn(const CallRecord& record, const session::Reply& reply);

  std::shared_ptr<const ObserverList> observers_;
  const Clock& clock_;
  ObservationPoint post_;
  std::optional<CachedBackendLookup> backends_;
  std::unordered_set<std::string> tools_;  // Tools that were listed or have answered.
  std::size_t last_list_ = 0;              // Hash of the last tool list.
};

}  // namespace fairlead::gateway
