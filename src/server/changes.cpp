#include <fairlead/server/changes.hpp>

#include <utility>
#include <vector>

#include "server/server_state.hpp"

namespace fairlead::server {

ChangeSubscription Observers::add(std::shared_ptr<Observers> self, OnChange on_change) {
  const auto observer = std::make_shared<OnChange>(std::move(on_change));
  const auto place = list_.with([&](auto& list) { return list.insert(list.end(), observer); });
  return ChangeSubscription(std::shared_ptr<void>(observer.get(), [self = std::move(self), place](void*) {
    self->list_.with([&](auto& list) { list.erase(place); });
  }));
}

// Without the lock: an observer may register, change or leave.
void Observers::tell(const Change& change) {
  const auto now = list_.with([](const auto& list) { return std::vector(list.begin(), list.end()); });
  for (const auto& observer : now) (*observer)(change);
}

void Memories::open(std::uint64_t conversation) {
  all_.with([&](auto& all) { all.try_emplace(conversation); });
}

void Memories::close(std::uint64_t conversation) {
  all_.with([&](auto& all) { all.erase(conversation); });
}

bool Memories::set_level(std::uint64_t conversation, protocol::LoggingLevel level) {
  return all_.with([&](auto& all) {
    const auto found = all.find(conversation);
    if (found == all.end()) return false;
    found->second.level = level;
    return true;
  });
}

protocol::LoggingLevel Memories::level(std::uint64_t conversation) const {
  return all_.with([&](const auto& all) {
    const auto found = all.find(conversation);
    return found == all.end() ? Wishes{}.level : found->second.level;
  });
}

bool Memories::subscribe(std::uint64_t conversation, const std::string& uri) {
  return all_.with([&](auto& all) {
    const auto found = all.find(conversation);
    if (found == all.end()) return false;
    auto& uris = found->second.uris;
    return uris.contains(uri) || (uris.size() < max_subscriptions && uris.insert(uri).second);
  });
}

void Memories::unsubscribe(std::uint64_t conversation, const std::string& uri) {
  all_.with([&](auto& all) {
    const auto found = all.find(conversation);
    if (found != all.end()) found->second.uris.erase(uri);
  });
}

bool Memories::is_subscribed(std::uint64_t conversation, const std::string& uri) const {
  return all_.with([&](const auto& all) {
    const auto found = all.find(conversation);
    return found != all.end() && found->second.uris.contains(uri);
  });
}

}  // namespace fairlead::server
