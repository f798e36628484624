#pragma once

#include <fairlead/base/deadline.hpp>
#include <fairlead/base/lru_cache.hpp>
#include <fairlead/json/payload.hpp>

namespace fairlead::client {

/// Caches results for the ttl that the server sets. One per connection, so that private results are not shared.
class ResultCache {
 public:
  /// Results of one method; beyond, the least recently used one is dropped.
  static constexpr std::size_t max_entries = 256;

  explicit ResultCache(const Clock& clock) : clock_(clock) {}

  /// Nothing if not cached or expired.
  std::optional<json::Payload> find(const std::string& method, const json::Payload& params);

  /// Stores a result for its ttl, at most 24 hours.
  void store(const std::string& method, const json::Payload& params, const json::Payload& result);

  /// Drops the entries that a notification invalidates.
  void on_notification(std::string_view method, const json::Payload& params);
  void clear() { entries_.clear(); }

 private:
  struct CachedResult {
    json::Payload result;
    Deadline until;
  };

  void erase(std::string_view method);

  const Clock& clock_;
  // By method and params.
  std::map<std::string, LruCache<std::string, CachedResult>, std::less<>> entries_;
};

}  // namespace fairlead::client
