#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/http/client.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <optional>
#include <string>

namespace fairlead::transport {

/// The error that a body holds instead of an answer to `id`; nothing if it holds none. Whatever its Content-Type says:
/// servers label errors as they please.
std::optional<jsonrpc::ErrorResponse> error_in(const std::string& body, const jsonrpc::Id& id);

/// An answer that is no JSON-RPC: its status is the error's code, which no JSON-RPC error can have.
Error status_error(const http::ClientResponse& response, const std::string& body);

/// Statuses that say nothing about what a server speaks: it has not looked at the request, or cannot.
constexpr bool is_about_caller(std::int64_t status) {
  return status == 401 || status == 403 || status == 407 || status == 429;
}

}  // namespace fairlead::transport
