#include "gateway/aggregate/session_fanout.hpp"

#include <algorithm>
#include <array>
#include <fairlead/base/task_scope.hpp>
#include <map>
#include <vector>

#include "gateway/model/caller_id.hpp"
#include "gateway/model/json_rewrite.hpp"
#include "session/coalescing_notifier.hpp"

namespace fairlead::gateway {
namespace {

/// The client's end of a session at one backend. Filters list changes: clients are notified when the merged list has
/// changed.
class ListChangeFilter final : public session::Service {
 public:
  ListChangeFilter(const std::shared_ptr<BackendCatalog>& catalog, session::PeerHandle peer)
      : catalogue_(catalog), peer_(std::move(peer)) {}

  Task<Result<session::Reply>> call(session::Call& call) override { return peer_->call(call); }
  Task<void> notify(session::Notification& notice) override {
    const auto catalog = catalogue_.lock();
    if (!catalog || catalog->on_notification(notice.method)) return {};
    return peer_->notify(notice);
  }

  /// The backend was removed: drops its further messages.
  void detach() { catalogue_.reset(); }

 private:
  std::weak_ptr<BackendCatalog> catalogue_;
  session::PeerHandle peer_;
};

/// The peer of the gateway's own session: ignores notifications and refuses requests.
class NoClient final : public session::Service {
 public:
  Task<Result<session::Reply>> call(session::Call& call) override {
    return refuse(protocol::ProtocolError::unknown_method, "no client is connected that could receive the request",
                  call.method);
  }
  Task<void> notify(session::Notification&) override { return {}; }
};

}  // namespace

class SessionFanout::FanoutSession final : public session::SessionHook, NonCopyable {
 public:
  /// `gateway_session`: the gateway's own session, which receives changes while no client is connected.
  FanoutSession(SessionFanout& all, session::SessionRef session, bool gateway_session = false)
      : all_(all), gateway_session_(gateway_session), session_(std::move(session)), notifier_(session_) {
    all_.all_.insert(this);
    sync_backends();
  }
  ~FanoutSession() override { all_.all_.erase(this); }

  void sync_backends() {
    const auto present = all_.backends_.all();
    std::list<BackendAttachment> removed;
    for (auto attachment = attachments_.begin(); attachment != attachments_.end();) {
      const auto here = attachment++;
      if (std::ranges::find(present, here->catalog) == present.end()) removed.splice(removed.end(), attachments_, here);
    }
    for (auto& attachment : removed) attachment.detach();
    for (const auto& catalog : present) {
      if (std::ranges::find(attachments_, catalog, &BackendAttachment::catalog) == attachments_.end()) attach(catalog);
    }
  }

  void add_subscription(BackendSubscription subscription, const std::shared_ptr<BackendCatalog>& catalog) {
    auto uri = subscription.uri;
    subscriptions_.insert_or_assign(std::move(uri), TrackedSubscription{std::move(subscription), catalog});
  }
  void remove_subscription(const std::string& uri) { subscriptions_.erase(uri); }

  /// Its subscriptions at removed backends.
  std::vector<BackendSubscription> lost() const {
    std::vector<BackendSubscription> all;
    const auto& present = all_.backends_.all();
    for (const auto& [uri, tracked] : subscriptions_) {
      if (std::ranges::find(present, tracked.catalog.lock()) == present.end()) all.push_back(tracked.subscription);
    }
    return all;
  }
  void spawn(Task<void> task) { session_.tasks.spawn(std::move(task)); }

  std::uint64_t key() const { return session_.key; }

  void begin_list_request(ListKind kind) { ++list_requests_[static_cast<std::size_t>(kind)]; }
  void end_list_request(ListKind kind, bool completed) {
    const auto index = static_cast<std::size_t>(kind);
    const bool last = --list_requests_[index] == 0;
    if (completed) missed_changes_[index] = false;
    if (last && std::exchange(missed_changes_[index], false)) notify(kind);
  }

  void notify(ListKind kind) {
    if (gateway_session_) return;
    // Resources and templates share a notification: a session that fetches one of them has not seen the other.
    if (is_named(kind) && list_requests_[static_cast<std::size_t>(kind)] > 0) {
      missed_changes_[static_cast<std::size_t>(kind)] = true;
      return;
    }
    notifier_.notify({.method = std::string(list_info(kind).changed_method)});
  }

 private:
  /// Members are destroyed in reverse order of use.
  struct BackendAttachment {
    std::shared_ptr<BackendCatalog> catalog;
    std::shared_ptr<ListChangeFilter> filter;  ///< Shared with tasks of the backend that may still send.
    std::unique_ptr<session::SessionHook> hook = {};

    void detach() {
      hook.reset();
      filter->detach();
    }
  };

  struct TrackedSubscription {
    BackendSubscription subscription;
    std::weak_ptr<BackendCatalog> catalog;
  };

  void attach(const std::shared_ptr<BackendCatalog>& catalog) {
    auto& attachment = attachments_.emplace_back(catalog, std::make_shared<ListChangeFilter>(catalog, session_.peer));
    auto session = session_;
    session.peer = attachment.filter;
    attachment.hook = catalog->backend().on_session_open(std::move(session));
  }

  SessionFanout& all_;
  const bool gateway_session_;
  session::SessionRef session_;
  session::CoalescingNotifier notifier_;
  std::list<BackendAttachment> attachments_;
  std::map<std::string, TrackedSubscription> subscriptions_;
  std::array<std::size_t, all_lists.size()> list_requests_ = {};  // List requests in flight, and
  std::array<bool, all_lists.size()> missed_changes_ = {};        // changes that were not notified because of them.
};

SessionFanout::SessionFanout(const BackendSet& backends, TaskScope& tasks)
    : backends_(backends), no_client_(std::make_unique<NoClient>()) {
  // A backend may belong to several virtual servers, each with a session of its own.
  session::SessionRef gateway_session{
      .key = new_internal_key(), .peer = *no_client_, .tasks = tasks, .notifications_only = true};
  gateway_session_ = std::make_unique<FanoutSession>(*this, std::move(gateway_session), true);
}

SessionFanout::~SessionFanout() = default;

std::unique_ptr<session::SessionHook> SessionFanout::add_session(session::SessionRef session) {
  return std::make_unique<FanoutSession>(*this, std::move(session));
}

void SessionFanout::notify(ListKind kind) {
  all_.for_each([&](FanoutSession& each) { each.notify(kind); });
}

SessionFanout::ListRequestScope::ListRequestScope(SessionFanout& all, std::uint64_t session_key, ListKind kind)
    : all_(all), session_key_(session_key), kind_(kind) {
  if (auto* session = all_.find(session_key_)) {
    session->begin_list_request(kind_);
  } else {
    session_key_ = 0;
  }
}

SessionFanout::ListRequestScope::~ListRequestScope() {
  if (auto* session = all_.find(session_key_)) session->end_list_request(kind_, completed_);
}

void SessionFanout::sync_backends() {
  all_.for_each([](FanoutSession& each) { each.sync_backends(); });
}

SessionFanout::FanoutSession* SessionFanout::find(std::uint64_t session_key) const {
  if (session_key == 0) return nullptr;
  return all_.find_if([&](const FanoutSession& each) { return each.key() == session_key; });
}

void SessionFanout::add_subscription(BackendSubscription subscription, const std::shared_ptr<BackendCatalog>& catalog) {
  if (auto* session = find(subscription.session_key)) session->add_subscription(std::move(subscription), catalog);
}

void SessionFanout::remove_subscription(std::uint64_t session_key, const std::string& uri) {
  if (auto* session = find(session_key)) session->remove_subscription(uri);
}

void SessionFanout::for_each_lost_subscription(const std::function<Task<void>(BackendSubscription)>& then) {
  // A task runs until its first wait: it may change subscriptions and end sessions.
  all_.for_each([&](const FanoutSession& each) {
    const auto key = each.key();
    for (auto& lost : each.lost()) {
      if (auto* still = find(key)) still->spawn(then(std::move(lost)));
    }
  });
}

}  // namespace fairlead::gateway
