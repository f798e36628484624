#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/transport/session_factory.hpp>

namespace fairlead::transport {

/// True if the params claim a stateless revision, valid or not.
bool claims_stateless(const json::Payload& params, const jsonrpc::ParamSpans& param_spans);

/// True if `_meta` is complete and names a supported revision.
bool is_stateless(const jsonrpc::Request& request);

/// True if the MCP-Protocol-Version header names a stateless revision.
bool header_is_stateless(const http::Request& request);

/// Validates `_meta`, version and headers of a stateless request.
Result<void> check_stateless(const http::Request& request, const jsonrpc::Request& call, SessionFactory& factory);

}  // namespace fairlead::transport
