#pragma once

#include <fairlead/base/result.hpp>
#include <string_view>

namespace fairlead {

/// The two alphabets of RFC 4648, each with its padding.
enum class Base64 : std::uint8_t {
  standard,  ///< `+` and `/`, always padded with `=`.
  url,       ///< `-` and `_`, never padded.
};

std::string base64_encode(std::string_view bytes, Base64 form = Base64::standard);

/// Decodes strictly, so that every byte string has exactly one text. Returns `malformed` for another alphabet, line
/// breaks, missing or extra padding, and trailing bits that are not zero.
Result<std::string> base64_decode(std::string_view text, Base64 form = Base64::standard);

}  // namespace fairlead
