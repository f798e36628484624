#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/http/stream.hpp>
#include <span>
#include <string_view>

namespace fairlead::http {

/// Writes what the socket takes, and takes it off the pieces. True once nothing is left of them.
Result<bool> write_pieces(Stream& stream, std::span<std::string_view> pieces);

}  // namespace fairlead::http
