#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/revision.hpp>

namespace fairlead::protocol {

/// The kind of a protocol error. Its JSON-RPC code depends on the revision and the dialect.
enum class ProtocolError : std::uint8_t {
  none,
  parse,
  invalid_request,
  unknown_method,
  invalid_params,
  internal,
  unknown_tool,
  bad_arguments,
  tool_failed,
  resource_missing,
  resource_denied,
  prompt_missing,
  bad_cursor,
  missing_envelope,  ///< A stateless request lacks required `_meta` members.
  unsupported_version,
  header_mismatch,
  missing_capability,  ///< The client did not declare a capability that the request needs.
  url_elicitation,     ///< The user must open a URL first.
};

/// The set of error codes and messages to use. The same for a whole session.
enum class ErrorDialect : std::uint8_t {
  specification,
  answer,   ///< openai-responses-mcp
  chain,    ///< mcp-chain
  jsonrpc,  ///< Unknown tools, resources and prompts are "method not found".
};

/// An error for encode_error(). `subject` is the tool, URI or method it is about; `data` is JSON text that replaces the
/// dialect's error data.
Error protocol_error(ProtocolError kind, std::string message, std::string subject = {}, std::string data = {});
/// protocol_error() as the return value of a function that fails.
std::unexpected<Error> refuse(ProtocolError kind, std::string message, std::string subject = {}, std::string data = {});

/// The ProtocolError of an error; derived from its ErrorKind if it has none.
ProtocolError protocol_error_of(const Error& error);

struct WireError {
  jsonrpc::ErrorObject error;
  int http_status = 200;  ///< For an error before the response stream is open.
};

/// A JSON-RPC error, or a tool result with `isError` if revision and dialect show the error to the model.
using EncodedError = std::variant<WireError, json::Payload>;

EncodedError encode_error(const Error& error, const Revision& revision,
                          ErrorDialect dialect = ErrorDialect::specification);

/// The inverse of encode_error(). Uses `cause` for an error of this process, otherwise the code, and the data if the
/// code is ambiguous. Does not use the message, which differs between implementations.
ProtocolError decode_error(const jsonrpc::ErrorObject& error, const Revision& revision,
                           ErrorDialect dialect = ErrorDialect::specification);

/// The HTTP status of an error on `/rpc` and `/rpc/stream`.
int tool_http_status(const Error& error);

}  // namespace fairlead::protocol
