#include "gateway/middleware/kept_results.hpp"

#include <utility>

namespace fairlead::gateway {

std::size_t KeptResults::size_of(const Key& key, const Kept& kept) {
  constexpr std::size_t overhead = 256;
  return overhead + key.params.size() + key.subject.size() + key.whose.size() + key.credentials.size() +
         kept.body.text().size();
}

const KeptResults::Kept* KeptResults::find(const Key& key, const Clock& clock) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  if (found->second.kept.until.passed(clock)) {
    drop(found);
    return nullptr;
  }
  used_.splice(used_.end(), used_, found->second.use);
  return &found->second.kept;
}

void KeptResults::keep(const Key& key, Kept kept) {
  if (const auto old = entries_.find(key); old != entries_.end()) drop(old);
  const auto size = size_of(key, kept);
  if (size > most_bytes_ || most_entries_ == 0) return;
  while (entries_.size() >= most_entries_ || bytes_ + size > most_bytes_) drop(entries_.find(*used_.front()));
  const auto [entry, is_new] = entries_.emplace(key, Entry{std::move(kept), {}});
  entry->second.use = used_.insert(used_.end(), &entry->first);
  bytes_ += size;
}

KeptResults::Entries::iterator KeptResults::drop(Entries::iterator entry) {
  bytes_ -= size_of(entry->first, entry->second.kept);
  used_.erase(entry->second.use);
  return entries_.erase(entry);
}

void KeptResults::forget(std::string_view method) {
  auto entry = entries_.lower_bound(Key{.method = std::string(method), .subject = {}, .whose = {}, .params = {}});
  while (entry != entries_.end() && entry->first.method == method) entry = drop(entry);
}

void KeptResults::forget(std::string_view method, std::string_view subject) {
  auto entry = entries_.lower_bound(
      Key{.method = std::string(method), .subject = std::string(subject), .whose = {}, .params = {}});
  while (entry != entries_.end() && entry->first.method == method && entry->first.subject == subject) {
    entry = drop(entry);
  }
}

}  // namespace fairlead::gateway
