#pragma once

#include <cstdint>

#include "base/ascii.hpp"

namespace fairlead::redact {

/// One character after decoding: `=`, `%3D`, `\u003d` and `\\u003d` all give `=`.
struct DecodedChar {
  enum class Kind : std::uint8_t {
    character,  ///< `value`, written plainly or in an escape.
    percent,    ///< `value`, written as %XX.
    control,    ///< \n, \r, \t, \b, \f as JSON writes them, or a literal backslash before that letter.
    quote,      ///< " or ' with `level` JSON strings around it.
  };

  Kind kind = Kind::character;
  char value = 0;  ///< 0 for what is not ASCII.
  unsigned level = 0;
  std::size_t size = 1;  ///< In bytes of the text.
};

DecodedChar decode_char(std::string_view text, std::size_t at);

using ascii::is_alphanumeric;
using ascii::is_digit;
using ascii::is_letter;
using ascii::lower;
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The value of `digits` hexadecimal digits at `at`, or -1.
int read_hex(std::string_view text, std::size_t at, std::size_t digits);

}  // namespace fairlead::redact
