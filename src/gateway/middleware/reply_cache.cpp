#include "gateway/middleware/reply_cache.hpp"

#include <utility>

namespace fairlead::gateway {

std::size_t ReplyCache::size_of(const Key& key, const CachedReply& kept) {
  constexpr std::size_t overhead = 256;
  return overhead + key.params.size() + key.target.size() + key.owner.size() + key.credentials.size() +
         kept.body.text().size();
}

const ReplyCache::CachedReply* ReplyCache::find(const Key& key, const Clock& clock) {
  const auto* kept = entries_.find(key);
  if (!kept || !kept->until.passed(clock)) return kept;
  entries_.take(key);
  return nullptr;
}

void ReplyCache::store(const Key& key, CachedReply kept) {
  const auto size = size_of(key, kept);
  entries_.put(key, std::move(kept), size);
}

void ReplyCache::invalidate(std::string_view method) {
  const Key first{.method = std::string(method), .target = {}, .owner = {}, .params = {}};
  entries_.erase_from(first, [&](const Key& key) { return key.method == method; });
}

void ReplyCache::invalidate(std::string_view method, std::string_view target) {
  const Key first{.method = std::string(method), .target = std::string(target), .owner = {}, .params = {}};
  entries_.erase_from(first, [&](const Key& key) { return key.method == method && key.target == target; });
}

}  // namespace fairlead::gateway
