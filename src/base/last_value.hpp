#pragma once

#include <optional>

namespace fairlead {

/// Cache of one entry: keeps the value that was computed for the last key. Not thread-safe.
template <class Key, class Value>
class LastValue {
 public:
  /// Returns the cached value if `key` equals the last one, otherwise that of `make(const Key&)`. The argument of
  /// `make` is the stored key, so the value may refer to it. Valid until the next call.
  template <class K, class Make>
  const Value& get(const K& key, Make make) {
    if (value_ && key_ == key) return *value_;
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
