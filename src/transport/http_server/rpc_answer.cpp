#include "transport/http_server/rpc_answer.hpp"

#include <fairlead/protocol/fault.hpp>
#include <utility>

#include "transport/http_server/luggage.hpp"
#include "transport/http_server/media.hpp"

namespace fairlead::transport {
namespace {

std::uint16_t status_of(const jsonrpc::ErrorObject& error, const protocol::Revision& revision) {
  const auto fault = protocol::recognise(error, revision);
  if (fault == protocol::Fault::none) return 200;
  const auto lowered = protocol::lower_error(protocol::fault_error(fault, ""), revision);
  const auto* wire = std::get_if<protocol::WireError>(&lowered);
  return wire ? static_cast<std::uint16_t>(wire->http_status) : std::uint16_t{200};
}

}  // namespace

http::Response json_answer(std::string body, std::uint16_t status) {
  return {.status = status, .content_type = json_type, .body = std::move(body)};
}

http::Response json_answer(const jsonrpc::Message& answer, std::uint16_t status) {
  auto response = json_answer(jsonrpc::write(answer), status);
  hand_out(response, answer);
  return response;
}

http::Response accepted() {
  return {.status = 202};
}

http::Response refusal(std::uint16_t status, std::int64_t code, std::string message, std::optional<jsonrpc::Id> id) {
  return refusal(status, jsonrpc::ErrorResponse{std::move(id), {.code = code, .message = std::move(message)}});
}

http::Response refusal(std::uint16_t status, const jsonrpc::ErrorResponse& error) {
  return json_answer(jsonrpc::write(error), status);
}

http::Response refusal(const Error& error, const protocol::Revision& revision, std::optional<jsonrpc::Id> id) {
  auto lowered = protocol::lower_error(error, revision);
  auto& wire = std::get<protocol::WireError>(lowered);
  return refusal(static_cast<std::uint16_t>(wire.http_status),
                 jsonrpc::ErrorResponse{std::move(id), std::move(wire.error)});
}

http::Response stateless_answer(const jsonrpc::Message& answer) {
  const auto* error = std::get_if<jsonrpc::ErrorResponse>(&answer);
  return json_answer(answer, error ? status_of(error->error, protocol::newest()) : std::uint16_t{200});
}

http::Response busy(std::optional<jsonrpc::Id> id) {
  auto response = refusal(503, jsonrpc::code::internal_error,
                          "Busy: too many answers wait for this client to read them; read them, then send this again",
                          std::move(id));
  response.headers.push_back({"Retry-After", "1"});
  return response;
}

http::Response method_not_allowed(std::string_view allowed) {
  auto response = refusal(405, jsonrpc::code::invalid_request, "Method not allowed: use " + std::string(allowed));
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
