#include <string>

#include "server/server_state.hpp"

namespace fairlead::server {

void SessionPreferences::open(std::uint64_t session_key) {
  all_.with([&](auto& all) { all.try_emplace(session_key); });
}

void SessionPreferences::close(std::uint64_t session_key) {
  all_.with([&](auto& all) { all.erase(session_key); });
}

bool SessionPreferences::set_level(std::uint64_t session_key, protocol::LoggingLevel level) {
  return all_.with([&](auto& all) {
    const auto found = all.find(session_key);
    if (found == all.end()) return false;
    found->second.level = level;
    return true;
  });
}

protocol::LoggingLevel SessionPreferences::level(std::uint64_t session_key) const {
  return all_.with([&](const auto& all) {
    const auto found = all.find(session_key);
    return found == all.end() ? Preferences{}.level : found->second.level;
  });
}

bool SessionPreferences::subscribe(std::uint64_t session_key, const std::string& uri) {
  return all_.with([&](auto& all) {
    const auto found = all.find(session_key);
    if (found == all.end()) return false;
    auto& uris = found->second.uris;
    return uris.contains(uri) || (uris.size() < max_subscriptions && uris.insert(uri).second);
  });
}

void SessionPreferences::unsubscribe(std::uint64_t session_key, const std::string& uri) {
  all_.with([&](auto& all) {
    const auto found = all.find(session_key);
    if (found != all.end()) found->second.uris.erase(uri);
  });
}

bool SessionPreferences::is_subscribed(std::uint64_t session_key, const std::string& uri) const {
  return all_.with([&](const auto& all) {
    const auto found = all.find(session_key);
    return found != all.end() && found->second.uris.contains(uri);
  });
}

}  // namespace fairlead::server
