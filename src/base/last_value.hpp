#pragma once

#include <functional>
#include <optional>
#include <utility>

namespace fairlead {

/// Cache of one entry: keeps the value that was computed for the last key. Keys may be compared with and assigned from
/// other types, for example views. Not thread-safe.
template <class Key, class Value, class Equal = std::equal_to<>>
class LastValue {
 public:
  /// Returns the cached value if `key` equals the last one, else null. Valid until the next change.
  template <class K>
  const Value* find(const K& key) const {
    return value_ && Equal{}(key_, key) ? &*value_ : nullptr;
  }

  template <class K>
  void set(const K& key, Value value) {
    key_ = key;
    value_ = std::move(value);
  }

  /// Returns the cached value if `key` equals the last one, otherwise that of `make(const Key&)`. The argument of
  /// `make` is the stored key, so the value may refer to it. Valid until the next change.
  template <class K, class Make>
  const Value& get(const K& key, Make make) {
    if (const auto* known = find(key)) return *known;
    value_.reset();
    key_ = key;
    return value_.emplace(make(key_));
  }

  /// The last key.
  const Key& key() const { return key_; }

 private:
  Key key_ = {};
  std::optional<Value> value_;
};

}  // namespace fairlead
