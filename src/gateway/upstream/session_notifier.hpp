#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <fairlead/protocol/model/common.hpp>
#include <fairlead/session/service.hpp>
#include <map>
#include <set>

#include "gateway/model/caller_id.hpp"

namespace fairlead::gateway {

struct NotifierSession;

/// Limits of resource subscriptions at one server.
struct SubscriptionLimits {
  std::size_t per_session = 1'024;
  std::size_t bytes_per_session = std::size_t{1} << 20U;
  std::size_t per_principal = 8'192;  ///< Sessions without a principal count together.
  std::size_t bytes_per_principal = std::size_t{8} << 20U;
};

/// The open sessions at one server: their subscriptions, log levels and queued notifications.
///
/// Never waits for a client: when the queue of a session is full, notifications are dropped; equal notifications in the
/// queue are merged.
class SessionNotifier {
 public:
  /// `on_unused` is called with the resources whose last subscriber has left.
  explicit SessionNotifier(std::function<void(std::vector<std::string>)> on_unused, SubscriptionLimits limits = {})
      : on_unused_(std::move(on_unused)), limits_(limits) {}
  SessionNotifier(const SessionNotifier&) = delete;
  SessionNotifier& operator=(const SessionNotifier&) = delete;

  /// Destroy the hook before the notifier.
  std::unique_ptr<session::SessionHook> add_session(session::SessionRef ref);

  /// Notifies all sessions; for a resource update only its subscribers.
  void notify(const session::Notification& notice);
  /// Notifies one session. False if it does not exist.
  bool notify(std::uint64_t session_key, const session::Notification& notice);
  /// Notifies the sessions of one caller; for a log message those with a matching log level.
  void notify(const CallerId& caller, const session::Notification& notice,
              std::optional<protocol::LoggingLevel> level = {});

  /// Fails if another subscription would exceed a limit; the error names the limit.
  Result<void> check_subscription_limits(std::uint64_t session_key, const std::string& uri) const;
  /// True if this is the first subscriber of the resource, and if it was the last one.
  bool subscribe(std::uint64_t session_key, const std::string& uri);
  bool unsubscribe(std::uint64_t session_key, const std::string& uri);
  bool has_subscribers(const std::string& uri) const;

  void set_level(std::uint64_t session_key, protocol::LoggingLevel level);
  std::optional<protocol::LoggingLevel> level(std::uint64_t session_key) const;

  /// The peer of the caller's only session; null if it has none or several. Use it before the next co_await.
  session::Service* sole_session(const CallerId& caller) const;
  /// Sends a request to the caller's only session. Fails with `closed` when the session ends first.
  Task<Result<session::Reply>> request_from_sole_session(CallerId caller, session::Call request);
  /// Callers with open sessions, without the gateway itself.
  std::set<CallerId> callers() const;
  bool has(std::uint64_t session_key) const { return sessions_.contains(session_key); }
  /// The newest client session except this one; 0 for none.
  std::uint64_t newest_session_except(std::uint64_t session_key) const;
  /// Whether any session is subscribed to a resource.
  bool has_subscriptions() const { return !subscribers_.empty(); }

 private:
  struct SubscriptionCount {
    std::size_t count = 0;
    std::size_t bytes = 0;
  };

  NotifierSession* find(std::uint64_t session_key) const;
  std::shared_ptr<NotifierSession> find_sole_session(const CallerId& caller) const;
  void count(std::uint64_t session_key, const std::string& uri);
  void uncount(std::uint64_t session_key, const std::string& uri);
  void remove_session(std::uint64_t session_key);

  std::function<void(std::vector<std::string>)> on_unused_;
  std::map<std::uint64_t, std::shared_ptr<NotifierSession>> sessions_;
  std::map<std::string, std::set<std::uint64_t>> subscribers_;
  SubscriptionLimits limits_;
  std::map<std::uint64_t, SubscriptionCount> by_session_;
  std::map<std::string, SubscriptionCount> by_principal_;
};

}  // namespace fairlead::gateway
