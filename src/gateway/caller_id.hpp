#pragma once

#include <compare>
#include <cstdint>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/session/service.hpp>
#include <string>

namespace fairlead::gateway {

/// Whom something belongs to. All sessions of a principal are one caller; without a principal each session is a caller
/// of its own, because two of them may be two people.
struct CallerId {
  std::string principal = {};
  std::uint64_t session = 0;  ///< Only where there is no principal.

  auto operator<=>(const CallerId&) const = default;

  bool is_anonymous() const { return principal.empty(); }
};

inline CallerId caller_id(const std::string& principal, std::uint64_t session) {
  return {.principal = principal, .session = principal.empty() ? session : 0};
}
inline CallerId caller_of(const session::RequestContext& context) {
  return caller_id(context.principal, context.conversation);
}

/// Keys of conversations that the gateway itself has with its servers, to hear of changes: no caller has one of them.
inline constexpr std::uint64_t first_internal_key = std::uint64_t{1} << 63U;

inline std::uint64_t new_internal_key() {
  return session::new_conversation_key() | first_internal_key;
}
inline bool is_client_key(std::uint64_t conversation) {
  return conversation != 0 && conversation < first_internal_key;
}

/// Requests without a session and without a principal cannot be told apart: they share this key where a message of a
/// server has to be attributed to a caller.
inline constexpr std::uint64_t stateless_key = first_internal_key - 1;

/// The caller to whom a message belongs that a server sends in the course of this request without naming it.
inline CallerId attributed_caller(const session::RequestContext& context) {
  const bool stateless = context.revision && context.revision->lifecycle == protocol::Lifecycle::stateless;
  return caller_id(context.principal, stateless ? stateless_key : context.conversation);
}

}  // namespace fairlead::gateway
