#pragma once

#include <fairlead/session/service.hpp>

#include "base/live_set.hpp"
#include "gateway/aggregate/backend_catalog.hpp"
#include "gateway/aggregate/backend_set.hpp"

namespace fairlead::gateway {

/// A resource subscription of a session.
struct BackendSubscription {
  std::uint64_t session_key = 0;
  std::string principal = {};
  std::string uri;
  const protocol::Revision* revision = nullptr;
};

/// Opens each client session at all backends, and distributes list changes. A session of the gateway itself receives
/// changes while no client is connected.
class SessionFanout : NonCopyable {
 public:
  /// `tasks` must outlive it.
  SessionFanout(const BackendSet& backends, TaskScope& tasks);
  ~SessionFanout();

  /// Destroy the hook before the fanout.
  std::unique_ptr<session::SessionHook> add_session(session::SessionRef session);

  /// Notifies all sessions of a changed list; pending notifications are merged. A session that is just fetching the
  /// list is not notified: it gets the new list.
  void notify(ListKind kind);
  /// Whether a client is connected.
  bool any() const { return all_.size() > 1; }

  /// Marks a session as fetching a list while this object lives.
  class ListRequestScope : NonCopyable {
   public:
    ListRequestScope(SessionFanout& all, std::uint64_t session_key, ListKind kind);
    ~ListRequestScope();

    /// The session has got the current list.
    void complete() { completed_ = true; }

   private:
    SessionFanout& all_;
    std::uint64_t session_key_;
    ListKind kind_;
    bool completed_ = false;
  };

  /// Closes the sessions at removed backends and opens them at new ones.
  void sync_backends();

  /// Records a subscription and its backend.
  void add_subscription(BackendSubscription subscription, const std::shared_ptr<BackendCatalog>& catalog);
  void remove_subscription(std::uint64_t session_key, const std::string& uri);
  /// Calls `then` in each session for its subscriptions at removed backends.
  void for_each_lost_subscription(const std::function<Task<void>(BackendSubscription)>& then);

 private:
  class FanoutSession;

  FanoutSession* find(std::uint64_t session_key) const;

  const BackendSet& backends_;
  LiveSet<FanoutSession> all_;
  std::unique_ptr<session::Service> no_client_;
  std::unique_ptr<FanoutSession> gateway_session_;
};

}  // namespace fairlead::gateway
