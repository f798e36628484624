#include "gateway/upstream/error_translation.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/error_codes.hpp>
#include <fairlead/protocol/model/input.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fmt/format.h>
#include <utility>

#include "crypto/digest.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;

/// Data of error -32042 (schema of 2025-11-25: URLElicitationRequiredError).
struct UrlElicitationData {
  std::vector<protocol::ElicitUrlParams> elicitations = {};
};

std::vector<protocol::ElicitUrlParams> url_elicitations(const Error& error) {
  auto pages = error.data.empty() ? UrlElicitationData()
                                  : json::decode<UrlElicitationData>(error.data).value_or(UrlElicitationData());
  return std::move(pages.elicitations);
}

// A client that does not know the code can still show the URL.
std::string with_url_hints(std::string message, const Error& error) {
  for (const auto& page : url_elicitations(error))
    message += fmt::format("; open {} and call again ({})", page.url, page.message);
  return message;
}

// Clients of the newest revision recognise a missing resource by the URI in the data.
std::string with_uri(const std::string& data, const session::Call& call) {
  const auto uri = json::member_of(call.params, "uri");
  const bool accepts_members = data.empty() || data.starts_with('{');
  if (uri.empty() || !accepts_members || !json::member_of(data, "uri").empty()) return data;
  return json::ObjectEdit(data).set("uri", std::string(uri)).text();
}

std::int64_t code_in(const protocol::Revision& revision, ProtocolError fault) {
  const auto adapted = protocol::encode_error(protocol::protocol_error(fault, ""), revision);
  const auto* wire = std::get_if<protocol::WireError>(&adapted);
  return wire ? wire->error.code : jsonrpc::code::internal_error;
}

bool supports_url_elicitation(const session::Call& call) {
  const auto& elicitation = call.context.caller->capabilities.elicitation;
  return elicitation && elicitation->url;
}

}  // namespace

Error translate_error(Error error, const protocol::Revision& from, const protocol::Revision& to,
                      const session::Call& call) {
  if (error.cause != 0 || error.code == 0 || &from == &to) return error;
  jsonrpc::ErrorObject object{.code = error.code, .message = error.message};
  if (!error.data.empty()) object.data = json::Payload::trusted(error.data);
  const auto fault = protocol::decode_error(object, from);
  switch (fault) {
    case ProtocolError::resource_missing:
      if (to.reserved_error_codes) error.data = with_uri(error.data, call);
      break;
    case ProtocolError::missing_capability:
      // For a client of the handshake era a missing capability is a failure of the tool.
      if (call.method == protocol::CallTool::method && to.server_initiated_requests) {
        return protocol::protocol_error(ProtocolError::tool_failed, error.message);
      }
      break;
    case ProtocolError::url_elicitation:
      if (to.url_elicitation_error) return error;
      error.message = with_url_hints(std::move(error.message), error);
      break;
    case ProtocolError::header_mismatch:
    case ProtocolError::unsupported_version: break;
    default: return error;
  }
  error.code = code_in(to, fault);
  return error;
}

Error url_elicitation_error(const std::string& url, const std::string& server) {
  const auto message = fmt::format("Sign in to the server '{}'", server);
  UrlElicitationData data;
  data.elicitations.push_back({.message = message, .url = url, .elicitationId = crypto::sha256_hex(url).substr(0, 32)});
  return {.kind = ErrorKind::refused,
          .message = message + ", then call again",
          .code = protocol::code::url_elicitation,
          .data = json::encode(data)};
}

std::optional<session::Reply> url_elicitation_reply(const Error& error, const session::Call& call) {
  const auto* revision = call.context.revision;
  const bool by_result =
      revision && !revision->server_initiated_requests && revision->may_require_input.contains(call.method);
  if (error.code != protocol::code::url_elicitation || !by_result || !supports_url_elicitation(call))
    return std::nullopt;
  protocol::InputRequiredResult result;
  auto& requests = result.inputRequests.emplace();
  for (auto& page : url_elicitations(error)) {
    page.elicitationId.reset();
    requests.emplace(fmt::format("page-{}", requests.size() + 1),
                     protocol::InputRequest{std::string(protocol::Elicit::method), json::to_payload(page)});
  }
  if (requests.empty()) return std::nullopt;
  return session::Reply{.body = json::to_payload(result), .kind = protocol::ResultKind::input_required};
}

}  // namespace fairlead::gateway
