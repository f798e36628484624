#pragma once

#include <chrono>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/http/client.hpp>
#include <optional>

namespace fairlead::answer {

/// Whether it is worth another try: too many requests, or the endpoint's own trouble.
bool is_passing(int status);

/// How long the endpoint asks to be left alone: `retry-after-ms`, or `Retry-After` in seconds or as a date.
std::optional<Duration> asked_pause(const http::ClientResponse& response, std::chrono::system_clock::time_point now);

/// How long to wait before attempt `next` (2 is the first repetition): twice as long each time, or as long as the
/// endpoint asks if that is more.
Duration pause_before(std::int64_t next, Duration first, std::optional<Duration> asked);

}  // namespace fairlead::answer
