#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/revision.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace fairlead::protocol {

/// What went wrong, in the words of the protocol. Its code on the wire depends on the revision and the dialect.
enum class Fault : std::uint8_t {
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
  missing_envelope,  ///< A stateless request without the `_meta` it needs.
  unsupported_version,
  header_mismatch,
  missing_capability,  ///< The client did not declare what the request needs.
  url_elicitation,     ///< The client must visit a URL first.
};

/// Whose habits of error codes to follow. Never mixed within one conversation.
enum class Dialect : std::uint8_t {
  specification,
  answer,   ///< openai-responses-mcp
  chain,    ///< mcp-chain
  jsonrpc,  ///< Plain JSON-RPC habits: everything unknown is an unknown method.
};

/// An error that `lower_error` knows how to tell. `subject` is the tool, URI or method at fault; `data` is JSON text
/// that replaces what the dialect would say.
Error fault_error(Fault fault, std::string message, std::string subject = {}, std::string data = {});

/// The fault that an error carries; derived from its kind where it carries none.
Fault fault_of(const Error& error);

struct WireError {
  jsonrpc::ErrorObject error;
  int http_status = 200;  ///< For an error that arises before the response stream is open.
};

/// A JSON-RPC error; or, where revision and dialect say that the model should read it, a successful tool result.
using LoweredError = std::variant<WireError, json::Payload>;

LoweredError lower_error(const Error& error, const Revision& revision, Dialect dialect = Dialect::specification);

/// The inverse. An error made in this process says itself what it means; a peer's is recognised by its code, and by its
/// data where that is ambiguous. The message is for people: no two implementations word it alike.
Fault recognise(const jsonrpc::ErrorObject& error, const Revision& revision, Dialect dialect = Dialect::specification);

/// The status that goes with an error where HTTP itself carries the verdict: `/rpc` and `/rpc/stream`.
int tool_http_status(const Error& error);

}  // namespace fairlead::protocol
