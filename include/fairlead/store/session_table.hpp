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

/// A session: has an id, may be busy, and belongs to a principal (empty if anonymous).
template <class T>
concept TableEntry = requires(const T& entry) {
  { entry.id() } -> std::convertible_to<std::string_view>;
  { entry.busy() } -> std::same_as<bool>;
  { entry.principal() } -> std::convertible_to<std::string_view>;
};

struct SessionTableLimits {
  std::size_t max_entries = 10'000;          ///< One principal may use up to three quarters of them.
  Duration idle = std::chrono::minutes{30};  ///< Idle time after which a session expires.
};

/// The sessions of one worker by id, in the order of their last use. Not thread-safe: one table per worker.
template <TableEntry T>
class SessionTable {
 public:
  using Entry = std::shared_ptr<T>;

  explicit SessionTable(SessionTableLimits limits, const Clock& clock = real_clock())
      : limits_(limits), clock_(clock) {}

  /// Returns the session with that id, null if unknown. Counts as use.
  Entry find(std::string_view id) {
    const auto found = slots_.find(id);
    if (found == slots_.end()) return nullptr;
    touch(found->second);
    found->second->found = true;
    return found->second->entry;
  }

  /// Result of `make_capacity`.
  enum class Capacity : std::uint8_t { made, full, share_used };

  /// Makes room for one more session of `principal`. If the table is full, removes an idle session into `evicted`: of
  /// the principal itself if it exceeds its share, else of the principal with the most sessions. Sessions that were
  /// never used go first, then the longest idle.
  Capacity make_capacity(std::string_view principal, Entry& evicted) {
    const auto share = limits_.max_entries - limits_.max_entries / 4;
    if (!principal.empty() && count_of(principal) >= share) {
      return evict(&principal, evicted) ? Capacity::made : Capacity::share_used;
    }
    if (slots_.size() < limits_.max_entries) return Capacity::made;
    const std::string most = largest();
    const std::string_view whose_most = most;
    const bool made = evict(&whose_most, evicted) || evict(&principal, evicted) || evict(nullptr, evicted);
    return made ? Capacity::made : Capacity::full;
  }

  void insert(Entry entry) {
    ++counts_[std::string(entry->principal())];
    order_.push_back({.entry = std::move(entry), .used = clock_.now()});
    const auto slot = std::prev(order_.end());
    slots_.emplace(slot->entry->id(), slot);
  }

  /// Removes and returns the session with that id; null if unknown.
  Entry erase(std::string_view id) {
    const auto found = slots_.find(id);
    return found == slots_.end() ? nullptr : remove(found->second);
  }

  /// Removes and returns the sessions that have been idle for too long.
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
    all.reserve(slots_.size());
    while (!order_.empty()) all.push_back(remove(order_.begin()));
    return all;
  }

  std::size_t size() const { return slots_.size(); }

 private:
  struct Slot {
    Entry entry;
    TimePoint used;
    bool found = false;  ///< `find` has returned it at least once.
  };
  using Order = std::list<Slot>;

  void touch(typename Order::iterator slot) {
    slot->used = clock_.now();
    order_.splice(order_.end(), order_, slot);
  }

  std::size_t count_of(std::string_view principal) const {
    const auto found = counts_.find(principal);
    return found == counts_.end() ? 0 : found->second;
  }

  std::string largest() const {
    const auto count = [](const auto& each) { return each.second; };
    return counts_.empty() ? std::string() : std::ranges::max_element(counts_, {}, count)->first;
  }

  /// Considers the sessions of one principal (empty: the anonymous ones); all sessions if null.
  bool evict(const std::string_view* principal, Entry& evicted) {
    auto idle = order_.end();
    for (auto slot = order_.begin(); slot != order_.end(); ++slot) {
      if (slot->entry->busy() || (principal && slot->entry->principal() != *principal)) continue;
      if (idle == order_.end()) idle = slot;
      if (slot->found) continue;
      idle = slot;
      break;
    }
    if (idle == order_.end()) return false;
    evicted = remove(idle);
    return true;
  }

  Entry remove(typename Order::iterator slot) {
    Entry entry = std::move(slot->entry);
    const auto count = counts_.find(entry->principal());
    if (count != counts_.end() && --count->second == 0) counts_.erase(count);
    slots_.erase(entry->id());
    order_.erase(slot);
    return entry;
  }

  SessionTableLimits limits_;
  const Clock& clock_;
  Order order_;                                             // Least recently used first.
  std::map<std::string, std::size_t, std::less<>> counts_;  // Number of sessions by principal.
  // Keys are views into the ids of the entries, which are erased from the map first.
  std::unordered_map<std::string_view, typename Order::iterator> slots_;
};

}  // namespace fairlead::store
