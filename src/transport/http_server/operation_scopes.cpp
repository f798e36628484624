#include "transport/http_server/operation_scopes.hpp"

#include <fairlead/http/handler.hpp>
#include <fairlead/http/identity.hpp>
#include <string>

namespace fairlead::transport {

std::optional<http::Response> refuse_operation(const http::Request& request, const jsonrpc::Request& call) {
  if (request.operations == nullptr) return std::nullopt;
  std::string tool;
  if (call.method == "tools/call") tool = jsonrpc::string_at(call.params, call.param_spans.name).value_or("");
  return request.operations->refuse_operation(*request.identity, call.method, tool);
}

std::optional<http::Response> refuse_operations(const http::Request& request, const jsonrpc::Incoming& body) {
  if (request.operations == nullptr) return std::nullopt;
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

}  // namespace fairlead::transport
