#include "gateway/model/outcome.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/protocol/revision.hpp>

#include "gateway/model/gateway_error.hpp"

namespace fairlead::gateway {
namespace {

// Transport errors of upstreams arrive here as errors with data of the gateway.
std::string_view transport_word(const Error& error) {
  if (error.kind == ErrorKind::cancelled) return "cancelled";
  if (is_malformed(error)) return "malformed";
  if (is_timeout(error)) return "timeout";
  return is_transport_failure(error) ? "closed" : "ok";
}

// The wire code for protocol errors, else 0.
std::int64_t wire_code(const Error& error, const protocol::Revision* revision) {
  const auto lowered = protocol::encode_error(error, revision ? *revision : protocol::newest_handshake());
  const auto* wire = std::get_if<protocol::WireError>(&lowered);
  return wire != nullptr ? wire->error.code : 0;
}

}  // namespace

std::string_view name(Plane plane) {
  switch (plane) {
    case Plane::caller: return "caller";
    case Plane::transport: return "transport";
    case Plane::protocol: return "protocol";
    case Plane::tool: return "tool";
    case Plane::none: break;
  }
  return "none";
}

Plane Outcome::plane() const {
  if (transport == "cancelled") return Plane::caller;
  if (transport != "ok") return Plane::transport;
  if (code != 0) return Plane::protocol;
  return tool_failed ? Plane::tool : Plane::none;
}

bool is_tool_failure(const session::Reply& reply) {
  return json::member_of(reply.body, "isError") == "true";
}

Outcome outcome_of(const Result<session::Reply>& reply, const protocol::Revision* revision, const Redactor& redactor) {
  if (reply) return {.tool_failed = is_tool_failure(*reply)};
  const auto& error = reply.error();
  return {.transport = transport_word(error),
          .code = wire_code(error, revision),
          .tool_failed = protocol::protocol_error_of(error) == protocol::ProtocolError::tool_failed,
          .message = redactor.redact(error.message)};
}

Outcome cancelled_outcome() {
  return {.transport = "cancelled", .message = "cancelled"};
}

}  // namespace fairlead::gateway
