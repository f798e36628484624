#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/transport/host.hpp>

namespace fairlead::transport {

/// Whether a request or notification claims to be stateless, rightly or not.
bool claims_stateless(const json::Payload& params, const jsonrpc::Landmarks& landmarks);

/// Whether its envelope is whole and names a revision that we serve.
bool is_stateless(const jsonrpc::Request& request);

/// Whether the version header names a stateless revision.
bool header_is_stateless(const http::Request& request);

/// What has to be right about a stateless request before anybody looks at its method: envelope, version, headers.
Result<void> check_stateless(const http::Request& request, const jsonrpc::Request& call, Host& host);

}  // namespace fairlead::transport
