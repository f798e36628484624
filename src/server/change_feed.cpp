#include "server/change_feed.hpp"

#include <boost/asio/post.hpp>
#include <utility>

namespace fairlead::server {
namespace asio = boost::asio;

namespace {

/// The notification that reports a change.
session::Notification notification_of(const Change& change) {
  if (change.contents_changed) {
    protocol::ResourceUriParams params;
    params.uri = change.name;
    return {.method = std::string(protocol::ResourceUpdated::method), .params = json::to_payload(params)};
  }
  switch (change.kind) {
    case EntryKind::tool: return {.method = std::string(protocol::ToolListChanged::method)};
    case EntryKind::prompt: return {.method = std::string(protocol::PromptListChanged::method)};
    case EntryKind::resource:
    case EntryKind::resource_template: break;
  }
  return {.method = std::string(protocol::ResourceListChanged::method)};
}

}  // namespace

ChangeSubscription ChangeObservers::add(std::shared_ptr<ChangeObservers> self, OnChange on_change) {
  const auto observer = std::make_shared<OnChange>(std::move(on_change));
  const auto position = list_.with([&](auto& list) { return list.insert(list.end(), observer); });
  return ChangeSubscription(std::shared_ptr<void>(observer.get(), [self = std::move(self), position](void*) {
    self->list_.with([&](auto& list) { list.erase(position); });
  }));
}

// Calls observers without the lock: they may add observers, change the registry or unsubscribe.
void ChangeObservers::notify(const Change& change) {
  const auto now = list_.with([](const auto& list) { return std::vector(list.begin(), list.end()); });
  for (const auto& observer : now) (*observer)(change);
}

ChangeFeed::ChangeFeed(asio::any_io_executor executor, std::function<bool(const Change&)> wanted,
                       std::function<void(session::Notification)> report)
    : wanted_(std::move(wanted)),
      report_(std::move(report)),
      executor_slot_(std::make_shared<ExecutorSlot>(std::move(executor))) {}

ChangeFeed::~ChangeFeed() {
  executor_slot_->with([](auto& executor) { executor.reset(); });
}

void ChangeFeed::open(const std::shared_ptr<ChangeObservers>& observers) {
  subscription_ = observers->add(observers, [weak = weak_from_this(), slot = executor_slot_](const Change& change) {
    slot->with([&](const auto& executor) {
      if (!executor) return;
      asio::post(*executor, [weak, change] {
        if (const auto feed = weak.lock(); feed && feed->wanted_(change)) feed->report_(notification_of(change));
      });
    });
  });
}

}  // namespace fairlead::server
