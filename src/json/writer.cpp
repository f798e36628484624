#include <fairlead/json/writer.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fairlead/base/utf8.hpp>
#include <utility>

#include "json/lexical.hpp"

namespace fairlead::json {
namespace {

// How to write a byte of a string: 0 copy, 'u' hex escape, 'x' part of UTF-8, otherwise the letter of the escape.
constexpr auto string_bytes = [] {
  std::array<char, 256> table{};
  for (std::size_t c = 0; c < 0x20; ++c) table[c] = 'u';
  for (std::size_t c = 0x80; c < 0x100; ++c) table[c] = 'x';
  table['"'] = '"';
  table['\\'] = '\\';
  table['\b'] = 'b';
  table['\f'] = 'f';
  table['\n'] = 'n';
  table['\r'] = 'r';
  table['\t'] = 't';
  return table;
}();

Bytes not_plain(const char* text) {
  Bytes bytes;
  std::memcpy(&bytes, text, sizeof(bytes));
  return (bytes < 0x20) | (bytes == '"') | (bytes == '\\');
}

bool any(Bytes flags) {
  const auto words = std::bit_cast<Words>(flags);
  return (words[0] | words[1]) != 0;
}

// A position, the end or that of a block, up to which all bytes can be copied.
std::size_t skip_plain(std::string_view text, std::size_t at) {
  constexpr std::size_t block = 4 * sizeof(Bytes);
  for (; text.size() - at >= block; at += block) {
    const char* here = text.data() + at;
    if (any(not_plain(here) | not_plain(here + 16) | not_plain(here + 32) | not_plain(here + 48))) return at;
  }
  for (; text.size() - at >= sizeof(Bytes); at += sizeof(Bytes)) {
    if (any(not_plain(text.data() + at))) return at;
  }
  std::array<char, sizeof(Bytes)> tail;
  tail.fill(' ');
  text.copy(tail.data(), tail.size(), at);
  return any(not_plain(tail.data())) ? at : text.size();
}

template <class Number>
void write_chars(std::string& out, Number number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void write_escape(std::string& out, char byte, char kind) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '\\';
  out += kind;
  if (kind != 'u') return;
  out += "00";
  out += hex[static_cast<unsigned char>(byte) >> 4];
  out += hex[byte & 0xF];
}

}  // namespace

void write_string(std::string& out, std::string_view text) {
  // Reserves space for the text that follows, to avoid another copy of a large text.
  constexpr std::size_t large = 512, margin = 128;
  if (text.size() >= large) out.reserve(out.size() + text.size() + margin);
  out += '"';
  std::size_t copied = 0;
  for (std::size_t at = skip_plain(text, 0); at < text.size();) {
    const char kind = string_bytes[static_cast<unsigned char>(text[at])];
    const std::size_t length = kind == 'x' ? utf8_length(text, at) : std::size_t{kind == 0};
    if (length != 0) {
      at += length;
      continue;
    }
    out.append(text.substr(copied, at - copied));
    if (kind == 'x') {
      out += "\xEF\xBF\xBD";
    } else {
      write_escape(out, text[at], kind);
    }
    copied = ++at;
    at = skip_plain(text, at);
  }
  out.append(text.substr(copied));
  out += '"';
}

void write_number(std::string& out, std::int64_t number) {
  write_chars(out, number);
}
void write_number(std::string& out, std::uint64_t number) {
  write_chars(out, number);
}

void write_number(std::string& out, double number) {
  // Most doubles are integers: steps, sizes, times.
  constexpr double plainly = 1e5;
  const auto whole = static_cast<std::int64_t>(std::abs(number) < plainly ? number : 0);
  if (whole != 0 && static_cast<double>(whole) == number) return write_chars(out, whole);
  if (std::isfinite(number)) {
    write_chars(out, number);
  } else {
    out += "null";
  }
}

std::string& ObjectWriter::member(std::string_view name) {
  comma();
  write_string(out_, name);
  return out_ += ':';
}

std::string& ObjectWriter::plain_member(std::string_view name) {
  // In one step: this is the hot path of every result.
  const auto begin = out_.size() + (first_ ? 0 : 1);
  const auto end = begin + name.size() + 3;
  const bool is_first = std::exchange(first_, false);
  // Does not use the size argument: libstdc++ 12 passes the capacity if that had to grow.
  out_.resize_and_overwrite(end, [&](char* text, std::size_t) {
    if (!is_first) text[begin - 1] = ',';
    text[begin] = '"';
    name.copy(text + begin + 1, name.size());
    text[end - 2] = '"';
    text[end - 1] = ':';
    return end;
  });
  return out_;
}

ObjectWriter& ObjectWriter::text(std::string_view name, std::string_view value) {
  write_string(member(name), value);
  return *this;
}

ObjectWriter& ObjectWriter::raw(std::string_view name, std::string_view json) {
  member(name) += json;
  return *this;
}

void ObjectWriter::comma() {
  if (!first_) out_ += ',';
  first_ = false;
}

}  // namespace fairlead::json
