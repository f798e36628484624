#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string>
#include <string_view>

/// What the gateway's own errors tell each other, in the data that goes with them.
namespace fairlead::gateway {

/// A refusal of ours: the request was not made, and may be made after `wait`, if that is known.
std::unexpected<Error> not_made(std::string message, std::string_view reason, std::optional<Duration> wait = {});

/// Nothing was done, so that asking again does no harm.
bool is_not_made(const Error& error);

/// The way to the server has failed, and not the server's handling of the request.
bool is_broken_way(const Error& error);

/// After the time was over; the server may still be at it.
bool is_timeout(const Error& error);

/// What came was no answer.
bool is_malformed(const Error& error);

/// How long to wait before asking again, if the error says so.
std::optional<Duration> wait_of(const Error& error);

}  // namespace fairlead::gateway
