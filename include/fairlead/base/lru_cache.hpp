#pragma once

#include <cstddef>
#include <fairlead/base/non_copyable.hpp>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <utility>

namespace fairlead {

/// Limits of a cache. The unit of the weight is that of the caller, for example bytes.
struct LruLimits {
  std::size_t entries = std::numeric_limits<std::size_t>::max();
  std::size_t weight = std::numeric_limits<std::size_t>::max();
};

template <class Key, class Value>
using HashIndex = std::unordered_map<Key, Value>;
template <class Key, class Value>
using OrderedIndex = std::map<Key, Value, std::less<>>;

/// Map that knows the order in which its entries were used, and evicts the least recently used ones beyond its limits.
/// Pointers to values stay valid until their entry is removed. Not thread-safe.
template <class Key, class Value, template <class, class> class Index = OrderedIndex>
class LruCache : NonCopyable {
 public:
  struct Entry {
    const Key& key;
    Value& value;
  };

  explicit LruCache(LruLimits limits = {}) : limits_(limits) {}

  /// Returns the value, null if there is none. Counts as use.
  template <class K>
  Value* find(const K& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    order_.splice(order_.end(), order_, found->second.position);
    return &found->second.value;
  }

  /// As find(), but does not count as use.
  template <class K>
  const Value* peek(const K& key) const {
    const auto found = index_.find(key);
    return found == index_.end() ? nullptr : &found->second.value;
  }

  /// Adds or replaces an entry, which counts as use. Returns null if it alone exceeds the limits: it is not stored.
  Value* put(Key key, Value value, std::size_t weight = 0) {
    take(key);
    if (limits_.entries == 0 || weight > limits_.weight) return nullptr;
    while (size() >= limits_.entries || weight > limits_.weight - weight_) remove(index_.find(order_.front()->first));
    auto& node = *index_.emplace(std::move(key), Slot{std::move(value), weight, {}}).first;
    node.second.position = order_.insert(order_.end(), &node);
    weight_ += weight;
    return &node.second.value;
  }

  /// Removes an entry and returns its value.
  template <class K>
  std::optional<Value> take(const K& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return std::nullopt;
    // Moved out first: the key may refer to the value.
    std::optional<Value> value(std::move(found->second.value));
    remove(found);
    return value;
  }

  /// Removes the entries with `condition(key, value)`, which must not use the cache. Starts with the least recently
  /// used one.
  template <class Condition>
  void erase_if(Condition condition) {
    for (auto next = order_.begin(); next != order_.end();) {
      auto& [key, slot] = **next++;
      if (condition(key, slot.value)) take(key);
    }
  }

  /// Removes the entries from `first` on while `condition(key)` holds. For an ordered index.
  template <class K, class Condition>
  void erase_from(const K& first, Condition condition) {
    for (auto at = index_.lower_bound(first); at != index_.end() && condition(at->first);) at = remove(at);
  }

  /// The entries, the least recently used one first.
  auto entries() const {
    return order_ | std::views::transform([](Node* node) { return Entry{node->first, node->second.value}; });
  }
  /// The least recently used value, null if empty.
  Value* oldest() const { return order_.empty() ? nullptr : &order_.front()->second.value; }

  std::size_t size() const { return index_.size(); }
  std::size_t weight() const { return weight_; }

 private:
  struct Slot;
  using Node = std::pair<const Key, Slot>;
  using Order = std::list<Node*>;
  struct Slot {
    Value value;
    std::size_t weight;
    typename Order::iterator position;
  };
  using Slots = Index<Key, Slot>;

  auto remove(typename Slots::iterator at) {
    weight_ -= at->second.weight;
    order_.erase(at->second.position);
    return index_.erase(at);
  }

  LruLimits limits_;
  std::size_t weight_ = 0;
  Slots index_;
  Order order_;  // Least recently used first; points to the entries of the index.
};

}  // namespace fairlead
