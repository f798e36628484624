#pragma once

#include <cstddef>
#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/id.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace fairlead::jsonrpc {

/// Error codes of JSON-RPC 2.0.
namespace code {
inline constexpr std::int64_t parse_error = -32700;
inline constexpr std::int64_t invalid_request = -32600;
inline constexpr std::int64_t method_not_found = -32601;
inline constexpr std::int64_t invalid_params = -32602;
inline constexpr std::int64_t internal_error = -32603;
}  // namespace code

/// Positions of the members of `params` that a router needs, found without parsing. Offsets into `params.text()`.
struct ParamSpans {
  json::Span name;
  json::Span uri;
  json::Span meta;

  bool operator==(const ParamSpans&) const = default;
};

/// Name-value pairs sent beside a message, such as HTTP header fields. Empty for transports without headers.
using MessageHeaders = std::vector<std::pair<std::string, std::string>>;

struct Request {
  Id id;
  std::string method;
  json::Payload params = {};  ///< Empty if the message has none.
  ParamSpans param_spans = {};
  std::string extra = {};  ///< Unknown members of the message as JSON, each preceded by a comma.
  std::shared_ptr<const MessageHeaders> headers = {};

  bool operator==(const Request&) const = default;
};

struct Notification {
  std::string method;
  json::Payload params = {};
  ParamSpans param_spans = {};
  std::string extra = {};

  bool operator==(const Notification&) const = default;
};

struct Response {
  Id id;
  json::Payload result;
  std::string extra = {};
  std::shared_ptr<const MessageHeaders> headers = {};

  bool operator==(const Response&) const = default;
};

struct ErrorObject {
  static constexpr bool initialisers_are_defaults = false;
  std::int64_t code = 0;
  std::string message;
  std::optional<json::Payload> data = {};
  std::uint8_t cause = 0;  ///< As in `Error`, for errors of this process; not written. 0 for a peer's.

  bool operator==(const ErrorObject& other) const {
    return code == other.code && message == other.message && data == other.data;
  }
};

struct ErrorResponse {
  std::optional<Id> id;  ///< Nothing if the request's id could not be read; null on the wire.
  ErrorObject error;
  std::string extra = {};
  std::shared_ptr<const MessageHeaders> headers = {};

  bool operator==(const ErrorResponse&) const = default;
};

using Message = std::variant<Request, Notification, Response, ErrorResponse>;

/// Computes ParamSpans for params that were not read from a message.
ParamSpans locate_params(const json::Payload& params);

/// The unescaped string at a span; nothing if it is absent or not a string.
std::optional<std::string> string_at(const json::Payload& params, json::Span span);

/// Approximate size of the message in bytes, in memory and on the wire.
std::size_t size_of(const Message& message);

/// Appends the message as one line, without the newline. Never writes a raw CR or LF, whatever the payload contains.
void write(std::string& out, const Message& message);
std::string write(const Message& message);

}  // namespace fairlead::jsonrpc
