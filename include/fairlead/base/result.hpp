#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <utility>

namespace fairlead {

struct Diagnosis;

/// The category of a failure; it decides what the caller can do next.
enum class ErrorKind : std::uint8_t {
  closed,     ///< The connection is closed; no response will arrive.
  timeout,    ///< No response in time; the peer may still process the request.
  cancelled,  ///< Cancelled by this side.
  malformed,  ///< The received data violates its format.
  refused,    ///< The peer responded with an error.
  invalid,    ///< The caller passed invalid arguments or configuration.
};

/// The layer that an ErrorKind belongs to.
enum class ErrorPlane : std::uint8_t { transport, protocol, usage };

/// A failure as a value. `message` is for people and says what to do next.
struct Error {
  ErrorKind kind = ErrorKind::invalid;
  std::string message;
  std::int64_t code = 0;     ///< JSON-RPC error code, for `refused`.
  std::string data = {};     ///< JSON-RPC error data as JSON text; empty for none.
  std::uint8_t cause = 0;    ///< A finer kind, numbered by the layer that failed; 0 for none.
  std::string subject = {};  ///< The name or address that the error is about.
  /// Details about a server process that failed; may be null. Defined in <fairlead/base/diagnosis.hpp>.
  std::shared_ptr<const Diagnosis> diagnosis = {};

  bool operator==(const Error&) const = default;
};

template <class T>
using Result = std::expected<T, Error>;

constexpr ErrorPlane plane(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::closed:
    case ErrorKind::timeout:
    case ErrorKind::cancelled: return ErrorPlane::transport;
    case ErrorKind::malformed:
    case ErrorKind::refused: return ErrorPlane::protocol;
    case ErrorKind::invalid: break;
  }
  return ErrorPlane::usage;
}

inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error{.kind = kind, .message = std::move(message)});
}

}  // namespace fairlead
