#include "transport/http_server/operation_scopes.hpp"

#include <fairlead/http/handler.hpp>
#include <fairlead/http/identity.hpp>
#include <fairlead/json/writer.hpp>
#include <string>
#include <utility>

namespace fairlead::transport {
namespace {

// JSON-RPC code of a request that needs more scopes, as HTTP's 403.
constexpr std::int64_t insufficient_scope = -32003;

std::optional<http::OperationRefusal> refusal_of(const http::OperationCheck& check, const http::Identity& identity,
                                                 std::string_view path, const jsonrpc::Request& call) {
  std::string tool;
  if (call.method == "tools/call") tool = jsonrpc::string_at(call.params, call.param_spans.name).value_or("");
  return check.refuse_operation(identity, {.method = call.method, .tool = tool, .path = path});
}

}  // namespace

std::optional<http::Response> refuse_operation(const http::Request& request, const jsonrpc::Request& call) {
  if (!request.operations) return std::nullopt;
  auto refused = refusal_of(*request.operations, *request.identity, request.path, call);
  return refused ? std::optional(std::move(refused->response)) : std::nullopt;
}

std::optional<http::Response> refuse_operations(const http::Request& request, const jsonrpc::Incoming& body) {
  if (!request.operations) return std::nullopt;
  if (const auto* message = std::get_if<jsonrpc::Message>(&body)) {
    const auto* call = std::get_if<jsonrpc::Request>(message);
    return call != nullptr ? refuse_operation(request, *call) : std::nullopt;
  }
  for (const auto& entry : std::get<jsonrpc::Batch>(body).entries) {
    const auto* call = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr;
    if (call == nullptr) continue;
    if (auto refused = refuse_operation(request, *call)) return refused;
  }
  return std::nullopt;
}

std::optional<jsonrpc::ErrorResponse> OperationFilter::refuse(const jsonrpc::Request& call) const {
  if (!check_) return std::nullopt;
  const auto refused = refusal_of(*check_, *identity_, path_, call);
  if (!refused) return std::nullopt;
  std::string data;
  json::ObjectWriter(data).text("scope", refused->scope);
  jsonrpc::ErrorResponse response{.id = call.id, .error = {.code = insufficient_scope, .message = {}}};
  response.error.message =
      "the token lacks a scope of this operation: sign in again and ask for '" + refused->scope + "'";
  response.error.data = json::Payload::parse(std::move(data)).value();
  return response;
}

void OperationFilter::apply(jsonrpc::Batch& batch) const {
  for (auto& entry : batch.entries) {
    const auto* call = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr;
    if (call == nullptr) continue;
    if (auto refused = refuse(*call)) entry = std::unexpected(jsonrpc::ReadError{std::move(*refused), {}});
  }
}

}  // namespace fairlead::transport
