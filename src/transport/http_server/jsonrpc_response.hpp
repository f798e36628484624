#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/revision.hpp>

/// HTTP responses with a JSON-RPC body.
namespace fairlead::transport {

/// Error code for an unknown session id, as the official SDKs send and expect it.
inline constexpr std::int64_t session_not_found = -32001;

http::Response json_response(std::string body, std::uint16_t status = 200);
/// Includes the HTTP headers of the message.
http::Response json_response(const jsonrpc::Message& answer, std::uint16_t status = 200);

/// 202 without a body.
http::Response accepted();

/// A JSON-RPC error with an HTTP error status.
http::Response error_response(std::uint16_t status, std::int64_t code, std::string message,
                              std::optional<jsonrpc::Id> id = {});
http::Response error_response(std::uint16_t status, const jsonrpc::ErrorResponse& error);

/// An error encoded for a revision, with its HTTP status.
http::Response error_response(const Error& error, const protocol::Revision& revision, std::optional<jsonrpc::Id> id);

/// The response to a stateless request before a stream was started: some errors have their own HTTP status.
http::Response stateless_response(const jsonrpc::Message& answer);

/// 503 for a client that sends requests but does not read the responses.
http::Response busy(std::optional<jsonrpc::Id> id);

/// 405 with an Allow header.
http::Response method_not_allowed(std::string_view allowed);

/// The id of a response; null if the message is not a response.
const jsonrpc::Id* answered_id(const jsonrpc::Message& message);
bool is_answer(const jsonrpc::Message& message);

}  // namespace fairlead::transport
