#include "gateway/upstream/session_notifier.hpp"

#include <algorithm>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <iterator>

#include "base/promise.hpp"
#include "base/scope_exit.hpp"
#include "gateway/model/session_registration.hpp"
#include "session/coalescing_notifier.hpp"

namespace fairlead::gateway {

namespace {

constexpr std::size_t max_queued_notifications = 1024;

}  // namespace

/// An open session. Shared with the tasks that send it requests.
struct NotifierSession {
  session::SessionRef ref;
  session::CoalescingNotifier notifier{ref, session::BurstStart::at_once,
                                       session::NotificationQueue(max_queued_notifications)};
  std::optional<protocol::LoggingLevel> level = {};
};

namespace {

/// A request of the server outside of calls.
struct SessionRequest {
  session::Call call;
  Promise<Result<session::Reply>> answer = {};
};

Task<void> send_request(std::shared_ptr<NotifierSession> session, std::shared_ptr<SessionRequest> request) {
  // Resumes the waiter however this task ends.
  const ScopeExit resume([&] { request->answer.set(fail(ErrorKind::closed, "the client has disconnected")); });
  auto answer = co_await session->ref.peer->call(request->call);
  request->answer.set(std::move(answer));
}

}  // namespace

std::unique_ptr<session::SessionHook> SessionNotifier::add_session(session::SessionRef ref) {
  const auto key = ref.key;
  sessions_.emplace(key, std::make_shared<NotifierSession>(NotifierSession{.ref = std::move(ref)}));
  return std::make_unique<SessionRegistration>([this, key] { remove_session(key); });
}

void SessionNotifier::remove_session(std::uint64_t session_key) {
  std::vector<std::string> unwanted;
  for (auto each = subscribers_.begin(); each != subscribers_.end();) {
    const bool was_subscribed = each->second.erase(session_key) != 0;
    if (was_subscribed) uncount(session_key, each->first);
    if (was_subscribed && each->second.empty()) {
      unwanted.push_back(each->first);
      each = subscribers_.erase(each);
    } else {
      ++each;
    }
  }
  sessions_.erase(session_key);
  if (!unwanted.empty()) on_unused_(std::move(unwanted));
}

void SessionNotifier::notify(const session::Notification& notice) {
  // Iterates over keys: sending to one session may end another.
  std::vector<std::uint64_t> keys;
  if (notice.method != protocol::ResourceUpdated::method) {
    for (const auto& [key, session] : sessions_) keys.push_back(key);
  } else {
    const auto updated = json::decode<protocol::ResourceUriParams>(notice.params);
    const auto found = updated ? subscribers_.find(updated->uri) : subscribers_.end();
    if (found != subscribers_.end()) keys.assign(found->second.begin(), found->second.end());
  }
  for (const auto key : keys) notify(key, notice);
}

bool SessionNotifier::notify(std::uint64_t session_key, const session::Notification& notice) {
  const auto found = sessions_.find(session_key);
  if (found == sessions_.end()) return false;
  found->second->notifier.notify(notice);
  return true;
}

Result<void> SessionNotifier::check_subscription_limits(std::uint64_t session_key, const std::string& uri) const {
  const auto known = subscribers_.find(uri);
  if (known != subscribers_.end() && known->second.contains(session_key)) return {};
  const auto fits = [&](const SubscriptionCount& now, std::size_t most, std::size_t bytes) {
    return now.count < most && now.bytes + uri.size() <= bytes;
  };
  const auto own = by_session_.find(session_key);
  const auto of_session = own == by_session_.end() ? SubscriptionCount() : own->second;
  if (!fits(of_session, limits_.per_session, limits_.bytes_per_session)) {
    return fail(
        ErrorKind::refused,
        fmt::format("this session is subscribed to {} resources with URIs of {} bytes; the limit is {} with {} bytes; "
                    "unsubscribe from some first",
                    of_session.count, of_session.bytes, limits_.per_session, limits_.bytes_per_session));
  }
  const auto* session = find(session_key);
  const auto all = by_principal_.find(session ? session->ref.principal : std::string());
  const auto of_principal = all == by_principal_.end() ? SubscriptionCount() : all->second;
  if (fits(of_principal, limits_.per_principal, limits_.bytes_per_principal)) return {};
  return fail(
      ErrorKind::refused,
      fmt::format("your sessions together are subscribed to {} resources with URIs of {} bytes; the limit is {} with "
                  "{} bytes; unsubscribe from some first",
                  of_principal.count, of_principal.bytes, limits_.per_principal, limits_.bytes_per_principal));
}

void SessionNotifier::count(std::uint64_t session_key, const std::string& uri) {
  const auto* session = find(session_key);
  for (auto* now : {&by_session_[session_key], &by_principal_[session ? session->ref.principal : ""]}) {
    ++now->count;
    now->bytes += uri.size();
  }
}

void SessionNotifier::uncount(std::uint64_t session_key, const std::string& uri) {
  const auto* session = find(session_key);
  const auto less = [&](auto& counts, const auto& key) {
    const auto found = counts.find(key);
    if (found == counts.end()) return;
    found->second.bytes -= uri.size();
    if (--found->second.count == 0) counts.erase(found);
  };
  less(by_session_, session_key);
  less(by_principal_, session ? session->ref.principal : std::string());
}

bool SessionNotifier::subscribe(std::uint64_t session_key, const std::string& uri) {
  auto& all = subscribers_[uri];
  if (all.insert(session_key).second) count(session_key, uri);
  return all.size() == 1;
}

bool SessionNotifier::unsubscribe(std::uint64_t session_key, const std::string& uri) {
  const auto found = subscribers_.find(uri);
  if (found == subscribers_.end() || found->second.erase(session_key) == 0) return false;
  uncount(session_key, uri);
  if (!found->second.empty()) return false;
  subscribers_.erase(found);
  return true;
}

bool SessionNotifier::has_subscribers(const std::string& uri) const {
  return subscribers_.contains(uri);
}

NotifierSession* SessionNotifier::find(std::uint64_t session_key) const {
  const auto found = sessions_.find(session_key);
  return found == sessions_.end() ? nullptr : found->second.get();
}

void SessionNotifier::set_level(std::uint64_t session_key, protocol::LoggingLevel level) {
  if (auto* session = find(session_key)) session->level = level;
}

std::optional<protocol::LoggingLevel> SessionNotifier::level(std::uint64_t session_key) const {
  const auto* session = find(session_key);
  return session ? session->level : std::nullopt;
}

void SessionNotifier::notify(const CallerId& caller, const session::Notification& notice,
                             std::optional<protocol::LoggingLevel> level) {
  for (const auto& [key, session] : sessions_) {
    if (!is_client_key(key) || caller_id(session->ref.principal, key) != caller) continue;
    if (!level || !session->level || *level >= *session->level) session->notifier.notify(notice);
  }
}

std::shared_ptr<NotifierSession> SessionNotifier::find_sole_session(const CallerId& caller) const {
  std::shared_ptr<NotifierSession> only;
  for (const auto& [key, session] : sessions_) {
    if (session->ref.notifications_only || !is_client_key(key) || caller_id(session->ref.principal, key) != caller)
      continue;
    if (only != nullptr) return nullptr;
    only = session;
  }
  return only;
}

session::Service* SessionNotifier::sole_session(const CallerId& caller) const {
  const auto only = find_sole_session(caller);
  return only ? &*only->ref.peer : nullptr;
}

Task<Result<session::Reply>> SessionNotifier::request_from_sole_session(CallerId caller, session::Call request) {
  const auto only = find_sole_session(caller);
  if (!only) co_return fail(ErrorKind::refused, "no client is connected that could receive the request");
  const auto pending = std::make_shared<SessionRequest>(SessionRequest{.call = std::move(request)});
  // Runs in the tasks of the session, so that nothing of it is used after its end.
  auto task = only->ref.tasks.spawn(send_request(only, pending));
  if (!task) co_return fail(ErrorKind::closed, "the client has disconnected");
  auto answer = co_await pending->answer.wait();
  task.cancel();
  if (!answer) co_return fail(ErrorKind::cancelled, "the server has cancelled its request");
  // Not inside send_request(), which may be ending.
  co_await next_turn;
  co_return std::move(*answer);
}

std::set<CallerId> SessionNotifier::callers() const {
  std::set<CallerId> callers;
  for (const auto& [key, session] : sessions_) {
    if (is_client_key(key)) callers.insert(caller_id(session->ref.principal, key));
  }
  return callers;
}

std::uint64_t SessionNotifier::newest_session_except(std::uint64_t session_key) const {
  std::uint64_t newest = 0;
  for (const auto& [key, session] : sessions_) {
    if (key != session_key && is_client_key(key)) newest = std::max(newest, key);
  }
  return newest;
}

}  // namespace fairlead::gateway
