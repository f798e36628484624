#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/id.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fairlead::jsonrpc {

/// The codes that JSON-RPC 2.0 itself defines.
namespace code {
inline constexpr std::int64_t parse_error = -32700;
inline constexpr std::int64_t invalid_request = -32600;
inline constexpr std::int64_t method_not_found = -32601;
inline constexpr std::int64_t invalid_params = -32602;
inline constexpr std::int64_t internal_error = -32603;
}  // namespace code

/// Where a router finds what it needs inside `params`, without a parse. Offsets into `params.text()`.
struct Landmarks {
  json::Span name;
  json::Span uri;
  json::Span meta;

  bool operator==(const Landmarks&) const = default;
};

/// What travels beside a message and is no part of it: header fields by their names, where its transport has such.
using Luggage = std::vector<std::pair<std::string, std::string>>;

struct Request {
  Id id;
  std::string method;
  json::Payload params = {};  ///< Empty if there were none.
  Landmarks landmarks = {};
  std::string extra = {};  ///< Envelope members that JSON-RPC does not define, as JSON, each behind a comma.
  std::shared_ptr<const Luggage> luggage = {};

  bool operator==(const Request&) const = default;
};

struct Notification {
  std::string method;
  json::Payload params = {};
  Landmarks landmarks = {};
  std::string extra = {};

  bool operator==(const Notification&) const = default;
};

struct Response {
  Id id;
  json::Payload result;
  std::string extra = {};
  std::shared_ptr<const Luggage> luggage = {};

  bool operator==(const Response&) const = default;
};

struct ErrorObject {
  static constexpr bool initialisers_are_defaults = false;
  std::int64_t code = 0;
  std::string message;
  std::optional<json::Payload> data = {};
  std::uint8_t cause = 0;  ///< As in `Error`, for an error made in this process; never written. 0 for a peer's.

  bool operator==(const ErrorObject& other) const {
    return code == other.code && message == other.message && data == other.data;
  }
};

struct ErrorResponse {
  std::optional<Id> id;  ///< Nothing where the request's id could not be read: then it is null on the wire.
  ErrorObject error;
  std::string extra = {};
  std::shared_ptr<const Luggage> luggage = {};

  bool operator==(const ErrorResponse&) const = default;
};

using Message = std::variant<Request, Notification, Response, ErrorResponse>;

/// The same for params that were not read from a message.
Landmarks find_landmarks(const json::Payload& params);

/// The string that a landmark points at, unescaped; nothing if it is absent or no string.
std::optional<std::string> text_at(const json::Payload& params, json::Span landmark);

/// About how many bytes it takes, in memory and on the wire.
std::size_t size_of(const Message& message);

/// Appends the message as one line without its newline: no byte of it is a raw CR or LF, whatever the payload holds.
void write(std::string& out, const Message& message);
std::string write(const Message& message);

}  // namespace fairlead::jsonrpc
