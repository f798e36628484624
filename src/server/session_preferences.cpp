
#include "server/server_state.hpp"

namespace fairlead::server {

void SessionPreferences::open(std::uint64_t session_key) {
  all_.with([&](auto& all) { all.try_emplace(session_key); });
}

void SessionPreferences::close(std::uint64_t session_key) {
  all_.with([&](auto& all) { all.erase(session_key); });
}

bool SessionPreferences::set_level(std::uint64_t session_key, protocol::LoggingLevel level) {
  return with_session(session_key, [&](Preferences& session) {
    session.level = level;
    return true;
  });
}

protocol::LoggingLevel SessionPreferences::level(std::uint64_t session_key) const {
  auto level = Preferences{}.level;
  with_session(session_key, [&](const Preferences& session) {
    level = session.level;
    return true;
  });
  return level;
}

bool SessionPreferences::subscribe(std::uint64_t session_key, const std::string& uri) {
  return with_session(session_key, [&](Preferences& session) {
    auto& uris = session.uris;
    return uris.contains(uri) || (uris.size() < max_subscriptions && uris.insert(uri).second);
  });
}

void SessionPreferences::unsubscribe(std::uint64_t session_key, const std::string& uri) {
  with_session(session_key, [&](Preferences& session) { return session.uris.erase(uri) != 0; });
}

bool SessionPreferences::is_subscribed(std::uint64_t session_key, const std::string& uri) const {
  return with_session(session_key, [&](const Preferences& session) { return session.uris.contains(uri); });
}

}  // namespace fairlead::server
