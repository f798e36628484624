#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string_view>

/// Errors of the gateway itself, and their classification by `data`.
namespace fairlead::gateway {

/// Error for a request that was not sent, with the time after which it may be retried.
std::unexpected<Error> rejected(std::string message, std::string_view reason, std::optional<Duration> wait = {});

/// True if the request was not sent, so that a retry is safe.
bool is_rejected(const Error& error);

/// True for failures of the transport, not of the server's handling.
bool is_transport_failure(const Error& error);

/// True for timeouts; the server may still be working.
bool is_timeout(const Error& error);

/// True for malformed replies.
bool is_malformed(const Error& error);

/// Minimum delay before a retry, if the error has one.
std::optional<Duration> retry_after(const Error& error);

}  // namespace fairlead::gateway
