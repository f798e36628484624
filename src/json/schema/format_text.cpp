#include "base/ascii.hpp"
#include "json/schema/formats.hpp"

namespace fairlead::json::schema::formats {

namespace {

constexpr std::string_view atom_marks = "!#$%&'*+-/=?^_`{|}~";

bool is_local_part(std::string_view text, bool international) {
  const auto beyond = [&](char c) { return international && !ascii::is_ascii(c); };
  if (text.size() > 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"') return false;
      if (text[i] == '\\' && ++i == text.size()) return false;
      if (!(text[i] >= ' ' && text[i] <= '~') && !beyond(text[i])) return false;
    }
    return true;
  }
  const auto fits = [&](char c) {
    return ascii::is_alphanumeric(c) || atom_marks.contains(c) || c == '.' || beyond(c);
  };
  return !text.empty() && std::ranges::all_of(text, fits) && text.front() != '.' && text.back() != '.' &&
         text.find("..") == text.npos;
}

bool is_address_literal(std::string_view text) {
  return ascii::consume(text, "IPv6:") ? ipv6(text) : ipv4(text);
}

bool is_mailbox(std::string_view text, bool international) {
  const auto at = text.rfind('@');
  if (at == text.npos || !is_local_part(text.substr(0, at), international)) return false;
  const auto domain = text.substr(at + 1);
  if (domain.starts_with('[') && domain.ends_with(']')) return is_address_literal(domain.substr(1, domain.size() - 2));
  return international ? idn_hostname(domain) : hostname(domain);
}

bool consume_name(std::string_view& text) {
  for (bool first = true;; first = false) {
    if (!first && !ascii::consume(text, ".")) return true;
    std::size_t taken = 0;
    for (;; ++taken) {
      const bool encoded = text.size() > 2 && text[0] == '%' && ascii::is_hex(text[1]) && ascii::is_hex(text[2]);
      const bool plain = !text.empty() && (ascii::is_alphanumeric(text[0]) || text[0] == '_');
      if (!encoded && !plain) break;
      text.remove_prefix(encoded ? 3 : 1);
    }
    if (taken == 0) return false;
  }
}

bool is_variable(std::string_view text) {
  if (!consume_name(text)) return false;
  if (text.empty() || text == "*") return true;
  const auto digits = text.substr(1);
  return text.front() == ':' && !digits.empty() && digits.size() <= 4 && digits.front() != '0' &&
         std::ranges::all_of(digits, ascii::is_digit);
}

/// An expression of RFC 6570, without its braces.
bool is_expression(std::string_view text) {
  if (!text.empty() && std::string_view("+#./;?&=,!@|").contains(text.front())) text.remove_prefix(1);
  for (;;) {
    const auto comma = text.find(',');
    if (!is_variable(text.substr(0, comma))) return false;
    if (comma == text.npos) return true;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool email(std::string_view text) {
  return is_mailbox(text, false);
}

bool idn_email(std::string_view text) {
  return is_mailbox(text, true);
}

bool uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (hyphen ? text[i] != '-' : !ascii::is_hex(text[i])) return false;
  }
  return true;
}

bool uri_template(std::string_view text) {
  constexpr std::string_view forbidden = " \"<>\\^`|}";
  while (!text.empty()) {
    if (ascii::consume(text, "{")) {
      const auto end = text.find('}');
      if (end == text.npos || !is_expression(text.substr(0, end))) return false;
      text.remove_prefix(end + 1);
      continue;
    }
    const char c = text.front();
    const bool encoded = text.size() > 2 && ascii::is_hex(text[1]) && ascii::is_hex(text[2]);
    if (forbidden.contains(c) || static_cast<unsigned char>(c) < 0x20 || c == 0x7F || (c == '%' && !encoded))
      return false;
    text.remove_prefix(1);
  }
  return true;
}

bool json_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1');
    if (text[i] == '~' && !escape) return false;
  }
  return true;
}

bool relative_json_pointer(std::string_view text) {
  const auto digits = ascii::consume_while(text, ascii::is_digit);
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return false;
  return text == "#" || json_pointer(text);
}

}  // namespace fairlead::json::schema::formats
