#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <optional>

namespace fairlead::transport {

/// Returns the 403 of the request's operation check; nothing if the caller may use the operation. Runs before a session
/// or handler sees the message.
std::optional<http::Response> refuse_operation(const http::Request& request, const jsonrpc::Request& call);

/// The same for all requests of a body.
std::optional<http::Response> refuse_operations(const http::Request& request, const jsonrpc::Incoming& body);

}  // namespace fairlead::transport
