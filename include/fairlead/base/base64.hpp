#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>

namespace fairlead {

/// The two alphabets of RFC 4648 and the padding that goes with each here.
enum class Base64 : std::uint8_t {
  standard,  ///< `+` and `/`, always padded with `=`.
  url,       ///< `-` and `_`, never padded.
};

std::string base64_encode(std::string_view bytes, Base64 form = Base64::standard);

/// Strict, so that every byte string has exactly one text: other alphabets, line breaks, missing or extra padding and
/// trailing bits that are not zero are all `malformed`.
Result<std::string> base64_decode(std::string_view text, Base64 form = Base64::standard);

}  // namespace fairlead
