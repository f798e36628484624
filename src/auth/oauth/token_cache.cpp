#include "auth/oauth/token_cache.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::auth {
namespace {

constexpr std::chrono::minutes max_ttl{5};
constexpr std::chrono::seconds opaque_ttl{60};
constexpr std::chrono::seconds refusal_ttl{10};

}  // namespace

TokenCache::TokenCache(std::size_t entries) {
  for (auto& part : parts_) part = std::make_unique<Part>(std::max<std::size_t>(entries / parts, 1));
}

std::optional<CheckedToken> TokenCache::find(const std::string& digest, Time now) {
  auto& part = part_of(digest);
  const std::scoped_lock lock(part.mutex);
  for (auto* entries : {&part.accepted, &part.refused}) {
    const auto* entry = entries->find(digest);
    if (entry == nullptr) continue;
    if (entry->until > now) return entry->token;
    entries->take(digest);
  }
  return std::nullopt;
}

void TokenCache::put(const std::string& digest, CheckedToken token, Time now, std::uint64_t generation) {
  const bool accepted = token.identity != nullptr;
  auto until = now + refusal_ttl;
  const std::chrono::seconds ttl = token.opaque ? opaque_ttl : max_ttl;
  if (accepted) until = std::min<Time>(now + ttl, token.identity->expires.value_or(Time::max()));
  auto& part = part_of(digest);
  const std::scoped_lock lock(part.mutex);
  if (generation_ != generation) return;
  (accepted ? part.accepted : part.refused).put(digest, {.token = std::move(token), .until = until});
}

void TokenCache::clear() {
  ++generation_;
  for (auto& part : parts_) {
    const std::scoped_lock lock(part->mutex);
    const auto all = [](const auto&, const auto&) { return true; };
    part->accepted.erase_if(all);
    part->refused.erase_if(all);
  }
}

}  // namespace fairlead::auth
