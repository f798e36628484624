#include <fairlead/server/changes.hpp>

#include <utility>
#include <vector>

#include "server/server_state.hpp"

namespace fairlead::server {

ChangeSubscription Observers::add(std::shared_ptr<Observers> self, OnChange on_change) {
  const auto observer = std::make_shared<OnChange>(std::move(on_change));
  const std::lock_guard lock(mutex_);
  list_.push_back(observer);
  return ChangeSubscription(std::shared_ptr<void>(observer.get(), [self = std::move(self), observer](void*) {
    const std::lock_guard again(self->mutex_);
    self->list_.remove(observer);
  }));
}

// Without the lock: an observer may register, change or leave.
void Observers::tell(const Change& change) {
  std::vector<std::shared_ptr<OnChange>> now;
  {
    const std::lock_guard lock(mutex_);
    now.assign(list_.begin(), list_.end());
  }
  for (const auto& observer : now) (*observer)(change);
}

void Remembered::set_level(const std::string& principal, protocol::LoggingLevel level) {
  const std::lock_guard lock(mutex_);
  levels_[principal] = level;
}

protocol::LoggingLevel Remembered::level(const std::string& principal) const {
  const std::lock_guard lock(mutex_);
  const auto found = levels_.find(principal);
  return found == levels_.end() ? protocol::LoggingLevel::info : found->second;
}

bool Remembered::subscribe(const std::string& principal, const std::string& uri, bool on) {
  const std::lock_guard lock(mutex_);
  if (!on) {
    subscriptions_.erase({principal, uri});
  } else if (subscriptions_.size() >= max_subscriptions) {
    return false;
  } else {
    subscriptions_.emplace(principal, uri);
  }
  return true;
}

bool Remembered::is_subscribed(std::string_view principal, std::string_view uri) const {
  const std::lock_guard lock(mutex_);
  return subscriptions_.contains({std::string(principal), std::string(uri)});
}

}  // namespace fairlead::server
