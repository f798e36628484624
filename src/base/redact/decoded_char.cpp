#include "base/redact/decoded_char.hpp"

#include <algorithm>
#include <bit>

namespace fairlead::redact {
namespace {

char ascii_or_nothing(int code) {
  return code < 0x80 ? static_cast<char>(code) : '\0';
}

// A quote inside n nested JSON strings is preceded by 2^n - 1 backslashes; an even number of literal backslashes on
// its level changes only the higher bits.
unsigned quote_level(std::size_t backslashes) {
  return static_cast<unsigned>(std::countr_zero(backslashes + 1));
}

DecodedChar read_escape(std::string_view text, std::size_t at) {
  const auto letter_at = std::min(text.find_first_not_of('\\', at), text.size());
  const auto run = letter_at - at;
  if (letter_at == text.size()) return {.size = run};
  const char letter = text[letter_at];
  switch (letter) {
    case '"':
    case '\'': return {.kind = DecodedChar::Kind::quote, .value = letter, .level = quote_level(run), .size = run + 1};
    case '/': return {.value = '/', .size = run + 1};
    case 'n':
    case 'r':
    case 't':
    case 'b':
    case 'f': return {.kind = DecodedChar::Kind::control, .value = letter, .size = run + 1};
    case 'u':
      if (const int code = read_hex(text, letter_at + 1, 4); code >= 0)
        return {.value = ascii_or_nothing(code), .size = run + 5};
      [[fallthrough]];
    default: return {.size = run};
  }
}

}  // namespace

int read_hex(std::string_view text, std::size_t at, std::size_t digits) {
  if (text.size() < digits || at > text.size() - digits) return -1;
  int value = 0;
  for (const char c : text.substr(at, digits)) {
    if (!ascii::is_hex(c)) return -1;
    value = value * 16 + ascii::hex_digit(c);
  }
  return value;
}

DecodedChar decode_char(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\\') return read_escape(text, at);
  if (c == '"' || c == '\'') return {.kind = DecodedChar::Kind::quote, .value = c};
  if (c == '%') {
    const int code = read_hex(text, at + 1, 2);
    if (code >= 0) return {.kind = DecodedChar::Kind::percent, .value = ascii_or_nothing(code), .size = 3};
  }
  return {.value = static_cast<unsigned char>(c) < 0x80 ? c : '\0'};
}

}  // namespace fairlead::redact
