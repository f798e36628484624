#pragma once

#include <fairlead/base/deadline.hpp>
#include <fairlead/base/lru_cache.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/revision.hpp>

namespace fairlead::gateway {

/// Cached replies, limited by number and size.
class ReplyCache {
 public:
  struct Key {
    std::string method;
    std::string target;            ///< URI or name; empty for lists.
    std::string owner;             ///< Empty for public results.
    std::string credentials = {};  ///< Hash of the headers for the server; empty without any.
    std::string params;

    auto operator<=>(const Key&) const = default;
  };
  struct CachedReply {
    json::Payload body;
    Deadline until;
    bool has_own_ttl = false;                        ///< The body has its own `ttlMs`.
    const protocol::Revision* written_in = nullptr;  ///< As in `session::Reply`.
  };

  ReplyCache(std::size_t entries, std::size_t bytes) : entries_({.entries = entries, .weight = bytes}) {}

  /// Returns null if no valid entry exists.
  const CachedReply* find(const Key& key, const Clock& clock);
  void store(const Key& key, CachedReply kept);

  void invalidate(std::string_view method);
  void invalidate(std::string_view method, std::string_view target);

  std::size_t bytes() const { return entries_.weight(); }

 private:
  static std::size_t size_of(const Key& key, const CachedReply& kept);

  LruCache<Key, CachedReply> entries_;
};

}  // namespace fairlead::gateway
