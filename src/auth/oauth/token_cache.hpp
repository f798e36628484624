#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/lru_cache.hpp>
#include <fairlead/http/identity.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace fairlead::auth {

/// Result of a checked token: the identity, or null and the reason of the refusal.
struct CheckedToken {
  std::shared_ptr<const http::Identity> identity;
  std::string refusal = {};
  bool opaque = false;  ///< The issuer was asked, and may revoke the token.
};

/// Results by the SHA-256 of their token, so that no token is stored. Split in parts with their own locks, because all
/// workers use it. Refusals have a cache of their own: a storm of bad tokens does not evict good ones.
class TokenCache {
 public:
  using Time = std::chrono::system_clock::time_point;

  explicit TokenCache(std::size_t entries);

  std::optional<CheckedToken> find(const std::string& digest, Time now);
  /// Keeps an identity up to its expiry, at most five minutes (one if it is opaque); a refusal for ten seconds. Does
  /// nothing if the cache was cleared since `generation`: the token was checked with keys that are gone.
  void put(const std::string& digest, CheckedToken token, Time now, std::uint64_t generation);
  std::uint64_t generation() const { return generation_; }
  void clear();

 private:
  struct Entry {
    CheckedToken token;
    Time until;
  };
  using Entries = LruCache<std::string, Entry, HashIndex>;
  struct Part {
    explicit Part(std::size_t entries) : accepted({.entries = entries}), refused({.entries = entries}) {}
    std::mutex mutex;
    Entries accepted;
    Entries refused;
  };
  static constexpr std::size_t parts = 16;

  Part& part_of(const std::string& digest) { return *parts_[static_cast<unsigned char>(digest.front()) % parts]; }

  std::array<std::unique_ptr<Part>, parts> parts_;
  std::atomic<std::uint64_t> generation_ = 0;
};

}  // namespace fairlead::auth
