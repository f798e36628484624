#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <utility>

namespace fairlead {

struct Diagnosis;

/// Who failed, because that decides what the caller may do next.
enum class ErrorKind : std::uint8_t {
  closed,     ///< The stream is gone; no answer will come.
  timeout,    ///< No answer in time; the peer may still act on the request.
  cancelled,  ///< We gave up on purpose.
  malformed,  ///< What arrived breaks the rules of its format.
  refused,    ///< The request was understood and answered with an error.
  invalid,    ///< The caller of this function asked for something that cannot be.
};

/// The three planes that never mix: a broken pipe is not the peer's mistake, and a refusal is not a broken pipe.
enum class ErrorPlane : std::uint8_t { transport, protocol, usage };

/// A failure as a value. `message` tells its reader what to do next.
struct Error {
  ErrorKind kind = ErrorKind::invalid;
  std::string message;
  std::int64_t code = 0;     ///< What travels on the wire, for `refused`.
  std::string data = {};     ///< JSON text to go with `code`; empty for none.
  std::uint8_t cause = 0;    ///< A finer kind, counted by the layer that failed; 0 for none.
  std::string subject = {};  ///< What was asked for and is at fault: a name, an address.
  /// What is known of a server that failed; null for none. Complete in <fairlead/base/diagnosis.hpp>.
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
