#include "auth/oauth/token_cache.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::auth {
namespace {

constexpr std::chrono::minutes max_ttl{5};
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

void TokenCache::put(const std::string& digest, CheckedToken token, Time now) {
  const bool accepted = token.identity != nullptr;
  auto until = now + refusal_ttl;
  if (accepted) until = std::min<Time>(now + max_ttl, token.identity->expires.value_or(Time::max()));
  auto& part = part_of(digest);
  const std::scoped_lock lock(part.mutex);
  (accepted ? part.accepted : part.refused).put(digest, {.token = std::move(token), .until = until});
}

}  // namespace fairlead::auth
