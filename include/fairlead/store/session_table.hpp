#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/lru_cache.hpp>
#include <memory>
#include <string>
#include <string_view>
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
    auto* slot = slots_.find(id);
    if (slot == nullptr) return nullptr;
    slot->used = clock_.now();
    slot->found = true;
    return slot->entry;
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
    const std::string_view id = entry->id();
    slots_.put(id, {.entry = std::move(entry), .used = clock_.now()});
  }

  /// Removes and returns the session with that id; null if unknown.
  Entry erase(std::string_view id) {
    auto slot = slots_.take(id);
    if (!slot) return nullptr;
    const auto count = counts_.find(slot->entry->principal());
    if (count != counts_.end() && --count->second == 0) counts_.erase(count);
    return std::move(slot->entry);
  }

  /// Removes and returns the sessions that have been idle for too long.
  std::vector<Entry> expire() {
    std::vector<Entry> expired;
    const auto before = clock_.now() - limits_.idle;
    for (auto* slot = slots_.oldest(); slot && slot->used <= before; slot = slots_.oldest()) {
      if (slot->entry->busy()) {
        slots_.find(slot->entry->id())->used = clock_.now();
      } else {
        expired.push_back(erase(slot->entry->id()));
      }
    }
    return expired;
  }

  std::vector<Entry> take_all() {
    std::vector<Entry> all;
    all.reserve(slots_.size());
    while (const auto* slot = slots_.oldest()) all.push_back(erase(slot->entry->id()));
    return all;
  }

  std::size_t size() const { return slots_.size(); }

 private:
  struct Slot {
    Entry entry;
    TimePoint used;
    bool found = false;  ///< `find` has returned it at least once.
  };

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
    const T* idle = nullptr;
    for (const auto [id, slot] : slots_.entries()) {
      if (slot.entry->busy() || (principal && slot.entry->principal() != *principal)) continue;
      if (!idle || !slot.found) idle = slot.entry.get();
      if (!slot.found) break;
    }
    if (!idle) return false;
    evicted = erase(idle->id());
    return true;
  }

  SessionTableLimits limits_;
  const Clock& clock_;
  std::map<std::string, std::size_t, std::less<>> counts_;  // Number of sessions by principal.
  LruCache<std::string_view, Slot, HashIndex> slots_;       // Keys are views of the ids of the entries.
};

}  // namespace fairlead::store
