#include <bit>

#include "base/redact/secret_scan.hpp"

namespace fairlead::redact {

void SecretScan::skip_blanks(bool across_lines) {
  while (at_ < text_.size()) {
    const auto unit = decode_char(text_, at_);
    const bool blank = unit.kind == DecodedChar::Kind::character && (unit.value == ' ' || unit.value == '\t');
    const bool line_end = unit.kind == DecodedChar::Kind::control || unit.value == '\n' || unit.value == '\r';
    if (!blank && !(across_lines && line_end)) return;
    at_ += unit.size;
  }
}

std::size_t SecretScan::end_of_string(std::size_t at, const DecodedChar& quote) const {
  while (at < text_.size()) {
    const auto unit = decode_char(text_, at);
    if (unit.kind == DecodedChar::Kind::quote) {
      if (unit.value == quote.value && unit.level <= quote.level) return at;
      if (quote.value == '\'' && closes_enclosing(unit)) return at;
    }
    at += unit.size;
  }
  return at;
}

std::size_t SecretScan::end_of_container(std::size_t at, const DecodedChar& quote) const {
  std::size_t depth = 0;
  for (bool in_string = false; at < text_.size();) {
    const auto unit = decode_char(text_, at);
    if (unit.kind == DecodedChar::Kind::quote) {
      if (quote.value == '\'' && closes_enclosing(unit)) return at;
      if (unit.value == quote.value && unit.level < quote.level) return at;
      if (unit.value == quote.value && unit.level == quote.level) in_string = !in_string;
    } else if (!in_string) {
      const char c = text_[at];
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return at + 1;
    }
    at += unit.size;
  }
  return at;
}

std::size_t SecretScan::end_of_scalar(std::size_t at) const {
  while (at < text_.size()) {
    const auto unit = decode_char(text_, at);
    const char c = text_[at];
    if (unit.kind == DecodedChar::Kind::quote || is_space(c) || c == '\\' || c == ',' || c == '}' || c == ']') break;
    at += unit.size;
  }
  return at;
}

// The end of the line, or of the JSON string that contains the header.
std::size_t SecretScan::end_of_header(std::size_t at) const {
  while (at < text_.size()) {
    const auto unit = decode_char(text_, at);
    if (unit.kind == DecodedChar::Kind::character && (unit.value == '\n' || unit.value == '\r')) break;
    const bool escaped_line_end = unit.kind == DecodedChar::Kind::control && (unit.value == 'n' || unit.value == 'r');
    if (open_strings_ != 0 && (escaped_line_end || closes_enclosing(unit))) break;
    at += unit.size;
  }
  return at;
}

// `encoded`: the query is percent-encoded inside another one, and so is the '&' that ends the parameter.
std::size_t SecretScan::end_of_parameter(std::size_t at, bool encoded) const {
  while (at < text_.size()) {
    const auto unit = decode_char(text_, at);
    if (unit.kind == DecodedChar::Kind::control || closes_enclosing(unit)) break;
    if (unit.kind == DecodedChar::Kind::character && (is_space(unit.value) || unit.value == '&')) break;
    if (encoded && unit.kind == DecodedChar::Kind::percent && unit.value == '&') break;
    at += unit.size;
  }
  return at;
}

bool SecretScan::closes_enclosing(const DecodedChar& unit) const {
  if (unit.kind != DecodedChar::Kind::quote || unit.value != '"') return false;
  return unit.level < static_cast<unsigned>(std::bit_width(open_strings_));
}

// A quote ends every string nested deeper than itself.
void SecretScan::toggle(unsigned level) {
  const auto bit = std::uint64_t{1} << level;
  open_strings_ = (open_strings_ & (bit | (bit - 1))) ^ bit;
}

}  // namespace fairlead::redact
