#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fairlead::store {

/// What a directory lists: something with a name that may be at work, and belongs to a principal, or to nobody.
template <class T>
concept Listed = requires(const T& entry) {
  { entry.id() } -> std::convertible_to<std::string_view>;
  { entry.busy() } -> std::same_as<bool>;
  { entry.principal() } -> std::convertible_to<std::string_view>;
};

struct DirectoryLimits {
  std::size_t max_entries = 10'000;          ///< Of them, one principal may have three quarters.
  Duration idle = std::chrono::minutes{30};  ///< After which nobody is expected to come back.
};

/// One worker's sessions by name, in the order of their last use. Not thread-safe: every worker has its own.
template <Listed T>
class Directory {
 public:
  using Entry = std::shared_ptr<T>;

  explicit Directory(DirectoryLimits limits, const Clock& clock = real_clock()) : limits_(limits), clock_(clock) {}

  /// Null for a name that is not listed. Finding counts as use.
  Entry find(std::string_view id) {
    const auto found = places_.find(id);
    if (found == places_.end()) return nullptr;
    touch(found->second);
    found->second->found = true;
    return found->second->entry;
  }

  /// Whether there is room for one more.
  enum class Room : std::uint8_t { made, full, share_used };

  /// Room for one more of a principal's. Where there are too many, an idle entry is taken out: of the principal's own
  /// beyond its share, else of whoever has the most; of these one that was never used, then the longest idle.
  Room make_room(std::string_view principal, Entry& evicted) {
    const auto share = limits_.max_entries - limits_.max_entries / 4;
    if (!principal.empty() && count_of(principal) >= share) {
      return evict(&principal, evicted) ? Room::made : Room::share_used;
    }
    if (places_.size() < limits_.max_entries) return Room::made;
    const std::string most = largest();
    const std::string_view whose_most = most;
    const bool made = evict(&whose_most, evicted) || evict(&principal, evicted) || evict(nullptr, evicted);
    return made ? Room::made : Room::full;
  }

  void insert(Entry entry) {
    ++counts_[std::string(entry->principal())];
    order_.push_back({.entry = std::move(entry), .used = clock_.now()});
    const auto place = std::prev(order_.end());
    places_.emplace(place->entry->id(), place);
  }

  /// Null if it was not listed.
  Entry erase(std::string_view id) {
    const auto found = places_.find(id);
    return found == places_.end() ? nullptr : remove(found->second);
  }

  /// Takes out those that have been idle for too long.
  std::vector<Entry> expire() {
    std::vector<Entry> expired;
    const auto before = clock_.now() - limits_.idle;
    while (!order_.empty() && order_.front().used <= before) {
      if (order_.front().entry->busy()) {
        touch(order_.begin());
      } else {
        expired.push_back(remove(order_.begin()));
      }
    }
    return expired;
  }

  std::vector<Entry> take_all() {
    std::vector<Entry> all;
    all.reserve(places_.size());
    while (!order_.empty()) all.push_back(remove(order_.begin()));
    return all;
  }

  std::size_t size() const { return places_.size(); }

 private:
  struct Place {
    Entry entry;
    TimePoint used;
    bool found = false;  ///< Since it was listed.
  };
  using Order = std::list<Place>;

  void touch(typename Order::iterator place) {
    place->used = clock_.now();
    order_.splice(order_.end(), order_, place);
  }

  std::size_t count_of(std::string_view principal) const {
    const auto found = counts_.find(principal);
    return found == counts_.end() ? 0 : found->second;
  }

  std::string largest() const {
    const auto count = [](const auto& each) { return each.second; };
    return counts_.empty() ? std::string() : std::ranges::max_element(counts_, {}, count)->first;
  }

  /// Of one principal, or of those without one; of anybody where that is null.
  bool evict(const std::string_view* principal, Entry& evicted) {
    auto idle = order_.end();
    for (auto place = order_.begin(); place != order_.end(); ++place) {
      if (place->entry->busy() || (principal && place->entry->principal() != *principal)) continue;
      if (idle == order_.end()) idle = place;
      if (place->found) continue;
      idle = place;
      break;
    }
    if (idle == order_.end()) return false;
    evicted = remove(idle);
    return true;
  }

  Entry remove(typename Order::iterator place) {
    Entry entry = std::move(place->entry);
    const auto count = counts_.find(entry->principal());
    if (count != counts_.end() && --count->second == 0) counts_.erase(count);
    places_.erase(entry->id());
    order_.erase(place);
    return entry;
  }

  DirectoryLimits limits_;
  const Clock& clock_;
  Order order_;                                             // Longest unused first.
  std::map<std::string, std::size_t, std::less<>> counts_;  // Of entries, by principal.
  // The entries own the names, so a view is enough; they are taken out by name before they go.
  std::unordered_map<std::string_view, typename Order::iterator> places_;
};

}  // namespace fairlead::store
