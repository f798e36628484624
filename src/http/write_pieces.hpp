#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/http/stream.hpp>
#include <span>
#include <string_view>

namespace fairlead::http {

/// Up to here a body is cheaper to copy behind its head than to send from where it is.
constexpr std::size_t worth_joining = 8 * 1024;

/// Writes what the socket takes, and takes it off the pieces. True once nothing is left of them.
Result<bool> write_pieces(Stream& stream, std::span<std::string_view> pieces);

}  // namespace fairlead::http
