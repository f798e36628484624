#include "protocol/uri_characters.hpp"

#include <fairlead/protocol/uri_template_syntax.hpp>

#include "base/ascii.hpp"

namespace fairlead::protocol {
namespace {

constexpr std::string_view capitals = "0123456789ABCDEF";

char triplet_value(std::string_view text, std::size_t at) {
  return static_cast<char>(ascii::hex_digit(text[at + 1]) * 16 + ascii::hex_digit(text[at + 2]));
}

bool is_multibyte(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

bool is_unreserved(char c) {
  return detail::is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

bool is_reserved(char c) {
  constexpr std::string_view reserved = ":/?#[]@!$&'()*+,;=";
  return reserved.find(c) != std::string_view::npos;
}

void append_percent_encoded(std::string& out, char byte) {
  const auto value = static_cast<unsigned char>(byte);
  out += '%';
  out += capitals[value >> 4];
  out += capitals[value & 15];
}

void append_escaped(std::string& out, std::string_view text, bool reserved) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_unreserved(c) || (reserved && (is_reserved(c) || detail::is_triplet(text, at)))) {
      out += c;
    } else {
      append_percent_encoded(out, c);
    }
  }
}

std::optional<std::string> normalized_uri(std::string_view uri) {
  std::string out;
  out.reserve(uri.size());
  for (std::size_t at = 0; at < uri.size(); ++at) {
    if (is_unreserved(uri[at]) || is_reserved(uri[at])) {
      out += uri[at];
    } else if (detail::is_triplet(uri, at)) {
      append_percent_encoded(out, triplet_value(uri, at));
      at += 2;
    } else if (is_multibyte(uri[at])) {
      append_percent_encoded(out, uri[at]);
    } else {
      return std::nullopt;
    }
  }
  return out;
}

std::string unescaped(std::string_view text, bool keep_reserved) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const char byte = triplet_value(text, at);
    if (keep_reserved && (byte == '%' || is_reserved(byte))) {
      out += text.substr(at, 3);
    } else {
      out += byte;
    }
    at += 2;
  }
  return out;
}

}  // namespace fairlead::protocol
