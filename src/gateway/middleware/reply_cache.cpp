#include "gateway/middleware/reply_cache.hpp"

#include <utility>

namespace fairlead::gateway {

std::size_t ReplyCache::size_of(const Key& key, const CachedReply& kept) {
  constexpr std::size_t overhead = 256;
  return overhead + key.params.size() + key.target.size() + key.owner.size() + key.credentials.size() +
         kept.body.text().size();
}

const ReplyCache::CachedReply* ReplyCache::find(const Key& key, const Clock& clock) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  if (found->second.kept.until.passed(clock)) {
    drop(found);
    return nullptr;
  }
  used_.splice(used_.end(), used_, found->second.use);
  return &found->second.kept;
}

void ReplyCache::store(const Key& key, CachedReply kept) {
  if (const auto old = entries_.find(key); old != entries_.end()) drop(old);
  const auto size = size_of(key, kept);
  if (size > max_bytes_ || max_entries_ == 0) return;
  while (entries_.size() >= max_entries_ || bytes_ + size > max_bytes_) drop(entries_.find(*used_.front()));
  const auto [entry, is_new] = entries_.emplace(key, Entry{std::move(kept), {}});
  entry->second.use = used_.insert(used_.end(), &entry->first);
  bytes_ += size;
}

ReplyCache::Entries::iterator ReplyCache::drop(Entries::iterator entry) {
  bytes_ -= size_of(entry->first, entry->second.kept);
  used_.erase(entry->second.use);
  return entries_.erase(entry);
}

void ReplyCache::invalidate(std::string_view method) {
  auto entry = entries_.lower_bound(Key{.method = std::string(method), .target = {}, .owner = {}, .params = {}});
  while (entry != entries_.end() && entry->first.method == method) entry = drop(entry);
}

void ReplyCache::invalidate(std::string_view method, std::string_view target) {
  auto entry = entries_.lower_bound(
      Key{.method = std::string(method), .target = std::string(target), .owner = {}, .params = {}});
  while (entry != entries_.end() && entry->first.method == method && entry->first.target == target) {
    entry = drop(entry);
  }
}

}  // namespace fairlead::gateway
