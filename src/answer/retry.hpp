#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/http/client.hpp>

namespace fairlead::answer {

/// True for 429 and 5xx.
bool is_retryable(int status);

/// The delay that the endpoint asks for: `retry-after-ms`, or `Retry-After` in seconds or as a date.
std::optional<Duration> retry_after(const http::ClientResponse& response, std::chrono::system_clock::time_point now);

/// The delay before attempt `next` (2 is the first retry): doubles each time, at least what the endpoint asks for.
Duration backoff_before(std::int64_t next, Duration first, std::optional<Duration> requested_delay);

}  // namespace fairlead::answer
