#pragma once

#include <concepts>
#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fairlead::store {

/// What a directory lists: something with a name that may be at work.
template <class T>
concept Listed = requires(const T& entry) {
  { entry.id() } -> std::convertible_to<std::string_view>;
  { entry.busy() } -> std::same_as<bool>;
};

struct DirectoryLimits {
  std::size_t max_entries = 10'000;
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
    return found->second->entry;
  }

  /// Room for one more: the entry that was idle for longest is taken out for it. False if all are at work.
  bool make_room(Entry& evicted) {
    if (places_.size() < limits_.max_entries) return true;
    for (auto place = order_.begin(); place != order_.end(); ++place) {
      if (place->entry->busy()) continue;
      evicted = remove(place);
      return true;
    }
    return false;
  }

  void insert(Entry entry) {
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
  };
  using Order = std::list<Place>;

  void touch(typename Order::iterator place) {
    place->used = clock_.now();
    order_.splice(order_.end(), order_, place);
  }

  Entry remove(typename Order::iterator place) {
    Entry entry = std::move(place->entry);
    places_.erase(entry->id());
    order_.erase(place);
    return entry;
  }

  DirectoryLimits limits_;
  const Clock& clock_;
  Order order_;  // Longest unused first.
  // The entries own the names, so a view is enough; they are taken out by name before they go.
  std::unordered_map<std::string_view, typename Order::iterator> places_;
};

}  // namespace fairlead::store
