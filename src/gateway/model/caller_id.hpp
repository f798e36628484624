#pragma once

#include <compare>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// Identifies a caller. All sessions of a principal are one caller; without a principal each session is a caller of its
/// own, because two sessions may belong to two people.
struct CallerId {
  std::string principal = {};
  std::uint64_t session = 0;  ///< Set only without a principal.

  auto operator<=>(const CallerId&) const = default;

  bool is_anonymous() const { return principal.empty(); }
};

inline CallerId caller_id(const std::string& principal, std::uint64_t session) {
  return {.principal = principal, .session = principal.empty() ? session : 0};
}
inline CallerId caller_of(const session::RequestContext& context) {
  return caller_id(context.principal, context.session_key);
}

/// Session keys from here on belong to the gateway's own sessions, which receive change notifications of servers.
inline constexpr std::uint64_t first_internal_key = std::uint64_t{1} << 63U;

inline std::uint64_t new_internal_key() {
  return session::new_session_key() | first_internal_key;
}
inline bool is_client_key(std::uint64_t session_key) {
  return session_key != 0 && session_key < first_internal_key;
}

/// Requests without a session and without a principal cannot be distinguished: messages of a server are attributed to
/// this key.
inline constexpr std::uint64_t stateless_key = first_internal_key - 1;

/// The caller of an unsolicited message that a server sends during this request.
inline CallerId attributed_caller(const session::RequestContext& context) {
  const bool stateless = context.revision && context.revision->lifecycle == protocol::Lifecycle::stateless;
  return caller_id(context.principal, stateless ? stateless_key : context.session_key);
}

}  // namespace fairlead::gateway
