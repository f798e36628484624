#include "transport/http_server/jsonrpc_response.hpp"

#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/forwarded_headers.hpp"

namespace fairlead::transport {
namespace {

std::uint16_t status_of(const jsonrpc::ErrorObject& error, const protocol::Revision& revision) {
  const auto fault = protocol::decode_error(error, revision);
  if (fault == protocol::ProtocolError::none) return 200;
  const auto lowered = protocol::encode_error(protocol::protocol_error(fault, ""), revision);
  const auto* wire = std::get_if<protocol::WireError>(&lowered);
  return wire ? static_cast<std::uint16_t>(wire->http_status) : std::uint16_t{200};
}

}  // namespace

http::Response json_response(std::string body, std::uint16_t status) {
  return {.status = status, .content_type = json_type, .body = std::move(body)};
}

http::Response json_response(const jsonrpc::Message& answer, std::uint16_t status) {
  auto response = json_response(jsonrpc::write(answer), status);
  apply_headers(response, answer);
  return response;
}

http::Response accepted() {
  return {.status = 202};
}

http::Response error_response(std::uint16_t status, std::int64_t code, std::string message,
                              std::optional<jsonrpc::Id> id) {
  return error_response(status, jsonrpc::ErrorResponse{std::move(id), {.code = code, .message = std::move(message)}});
}

http::Response error_response(std::uint16_t status, const jsonrpc::ErrorResponse& error) {
  return json_response(jsonrpc::write(error), status);
}

http::Response error_response(const Error& error, const protocol::Revision& revision, std::optional<jsonrpc::Id> id) {
  auto lowered = protocol::encode_error(error, revision);
  auto& wire = std::get<protocol::WireError>(lowered);
  return error_response(static_cast<std::uint16_t>(wire.http_status),
                        jsonrpc::ErrorResponse{std::move(id), std::move(wire.error)});
}

http::Response stateless_response(const jsonrpc::Message& answer) {
  const auto* error = std::get_if<jsonrpc::ErrorResponse>(&answer);
  return json_response(answer, error ? status_of(error->error, protocol::newest()) : std::uint16_t{200});
}

http::Response busy(std::optional<jsonrpc::Id> id) {
  auto response =
      error_response(503, jsonrpc::code::internal_error,
                     "Busy: too many responses are waiting to be read; read them, then retry", std::move(id));
  response.headers.push_back({"Retry-After", "1"});
  return response;
}

http::Response method_not_allowed(std::string_view allowed) {
  auto response =
      error_response(405, jsonrpc::code::invalid_request, "Method not allowed: use " + std::string(allowed));
  response.headers.push_back({"Allow", std::string(allowed)});
  return response;
}

bool is_answer(const jsonrpc::Message& message) {
  return std::holds_alternative<jsonrpc::Response>(message) || std::holds_alternative<jsonrpc::ErrorResponse>(message);
}

const jsonrpc::Id* answered_id(const jsonrpc::Message& message) {
  if (const auto* response = std::get_if<jsonrpc::Response>(&message)) return &response->id;
  const auto* error = std::get_if<jsonrpc::ErrorResponse>(&message);
  return error && error->id ? &*error->id : nullptr;
}

}  // namespace fairlead::transport
