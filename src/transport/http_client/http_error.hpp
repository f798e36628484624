#pragma once

#include <fairlead/http/client.hpp>
#include <fairlead/jsonrpc/message.hpp>

namespace fairlead::transport {

/// Parses a JSON-RPC error response to `id`; nothing if the body is not one. Ignores Content-Type, because servers set
/// it inconsistently for errors.
std::optional<jsonrpc::ErrorResponse> error_in(const std::string& body, const jsonrpc::Id& id);

/// Error for an HTTP response that is not JSON-RPC. Its code is the HTTP status, which no JSON-RPC error uses.
Error status_error(const http::ClientResponse& response, const std::string& body);

/// True for statuses that concern credentials or rate limits and say nothing about the supported protocol.
constexpr bool concerns_credentials(std::int64_t status) {
  return status == 401 || status == 403 || status == 407 || status == 429;
}

}  // namespace fairlead::transport
