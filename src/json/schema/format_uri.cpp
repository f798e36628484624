#include "base/ascii.hpp"
#include "json/schema/formats.hpp"
#include "json/schema/utf8.hpp"

namespace fairlead::json::schema::formats {

namespace {

/// URIs are ASCII; IRIs (RFC 3987) also allow most other characters.
enum class Kind { uri, iri };

bool is_private(char32_t c) {
  return (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xF0000 && c <= 0xFFFFD) || (c >= 0x100000 && c <= 0x10FFFD);
}

/// RFC 3987, ucschar.
bool is_international(char32_t c) {
  if (c < 0xA0 || (c > 0xD7FF && c < 0xF900)) return false;
  if (c > 0xFFEF && c < 0x10000) return false;
  if (c >= 0xFDD0 && c < 0xFDF0) return false;
  return (c & 0xFFFE) != 0xFFFE && c < 0xF0000;
}

/// True if the text has only unreserved and percent-encoded characters and those in `more`.
bool consists_of(std::string_view text, std::string_view more, Kind kind, bool private_too = false) {
  while (!text.empty()) {
    const char c = text.front();
    if (c == '%') {
      if (text.size() < 3 || !ascii::is_hex(text[1]) || !ascii::is_hex(text[2])) return false;
      text.remove_prefix(3);
    } else if (ascii::is_ascii(c)) {
      const bool fits = ascii::is_alphanumeric(c) || std::string_view("-._~").contains(c) || more.contains(c);
      if (!fits) return false;
      text.remove_prefix(1);
    } else {
      const auto point = consume_code_point(text);
      if (kind == Kind::uri || (!is_international(point) && !(private_too && is_private(point)))) return false;
    }
  }
  return true;
}

bool is_ip_literal(std::string_view text) {
  if (!text.starts_with('v') && !text.starts_with('V')) return ipv6(text);
  text.remove_prefix(1);
  if (ascii::consume_while(text, ascii::is_hex).empty() || !ascii::consume(text, ".") || text.empty()) return false;
  return consists_of(text, "!$&'()*+,;=:", Kind::uri) && text.find('%') == text.npos;
}

bool is_authority(std::string_view text, Kind kind) {
  if (const auto at = text.rfind('@'); at != text.npos) {
    if (!consists_of(text.substr(0, at), "!$&'()*+,;=:", kind)) return false;
    text.remove_prefix(at + 1);
  }
  if (ascii::consume(text, "[")) {
    const auto end = text.find(']');
    if (end == text.npos || !is_ip_literal(text.substr(0, end))) return false;
    text.remove_prefix(end + 1);
  } else {
    const auto host = text.substr(0, text.find(':'));
    if (!consists_of(host, "!$&'()*+,;=", kind)) return false;
    text.remove_prefix(host.size());
  }
  return text.empty() || (ascii::consume(text, ":") && std::ranges::all_of(text, ascii::is_digit));
}

/// The part after the scheme.
bool is_rest(std::string_view text, Kind kind) {
  if (const auto hash = text.find('#'); hash != text.npos) {
    if (!consists_of(text.substr(hash + 1), "!$&'()*+,;=:@/?", kind)) return false;
    text = text.substr(0, hash);
  }
  if (const auto question = text.find('?'); question != text.npos) {
    if (!consists_of(text.substr(question + 1), "!$&'()*+,;=:@/?", kind, true)) return false;
    text = text.substr(0, question);
  }
  if (ascii::consume(text, "//")) {
    const auto authority = text.substr(0, text.find('/'));
    if (!is_authority(authority, kind)) return false;
    text.remove_prefix(authority.size());
  }
  return consists_of(text, "!$&'()*+,;=:@/", kind);
}

bool consume_scheme(std::string_view& text) {
  const auto colon = text.find(':');
  const auto scheme = text.substr(0, colon);
  const auto fits = [](char c) { return ascii::is_alphanumeric(c) || c == '+' || c == '-' || c == '.'; };
  const bool found =
      colon != text.npos && !scheme.empty() && ascii::is_letter(scheme.front()) && std::ranges::all_of(scheme, fits);
  if (found) text.remove_prefix(colon + 1);
  return found;
}

bool is_absolute(std::string_view text, Kind kind) {
  return consume_scheme(text) && is_rest(text, kind);
}

bool is_reference(std::string_view text, Kind kind) {
  if (consume_scheme(text)) return is_rest(text, kind);
  // Without a scheme, the first segment must not contain a colon: the text before it would be a scheme.
  const auto first = text.substr(0, text.find_first_of("/?#"));
  return first.find(':') == first.npos && is_rest(text, kind);
}

}  // namespace

bool uri(std::string_view text) {
  return is_absolute(text, Kind::uri);
}

bool uri_reference(std::string_view text) {
  return is_reference(text, Kind::uri);
}

bool iri(std::string_view text) {
  return is_absolute(text, Kind::iri);
}

bool iri_reference(std::string_view text) {
  return is_reference(text, Kind::iri);
}

}  // namespace fairlead::json::schema::formats
