#pragma once

#include <fairlead/http/stream.hpp>

namespace fairlead::http {

/// Bodies up to this size are copied behind their head; larger ones are written from where they are.
constexpr std::size_t max_joined_body = 8 * 1024;

/// Writes what the socket accepts and removes it from the pieces. True once all is written.
Result<bool> write_vectored(Stream& stream, std::span<std::string_view> pieces);

}  // namespace fairlead::http
