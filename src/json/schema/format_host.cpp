#include <optional>

#include "base/ascii.hpp"
#include "json/schema/formats.hpp"

namespace fairlead::json::schema::formats {

namespace {

bool is_label(std::string_view label) {
  const auto fits = [](char c) { return ascii::is_alphanumeric(c) || c == '-'; };
  return !label.empty() && label.size() <= 63 && std::ranges::all_of(label, fits) && label.front() != '-' &&
         label.back() != '-';
}

/// True for a label with the prefix of an internationalized one; it must then decode to one.
bool is_encoded(std::string_view label) {
  return label.size() > 3 && (label[0] | 0x20) == 'x' && (label[1] | 0x20) == 'n' && label.substr(2, 2) == "--";
}

/// Counts the 16-bit groups of an IPv6 address: up to four hexadecimal digits between colons; the last may be an IPv4
/// address. Returns nothing if the text is malformed.
std::optional<int> count_groups(std::string_view text, bool may_end_in_ipv4) {
  int groups = 0;
  while (!text.empty()) {
    const auto colon = text.find(':');
    const auto group = text.substr(0, colon);
    const bool last = colon == text.npos;
    if (last && may_end_in_ipv4 && group.find('.') != group.npos)
      return ipv4(group) ? std::optional(groups + 2) : std::nullopt;
    if (group.empty() || group.size() > 4 || !std::ranges::all_of(group, ascii::is_hex)) return std::nullopt;
    ++groups;
    if (last) return groups;
    text.remove_prefix(colon + 1);
    if (text.empty()) return std::nullopt;
  }
  return groups;
}

}  // namespace

bool hostname(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  for (auto rest = text;;) {
    const auto dot = rest.find('.');
    const auto label = rest.substr(0, dot);
    if (!is_label(label)) return false;
    if (is_encoded(label) && !idn_hostname(label)) return false;
    if (dot == rest.npos) return true;
    rest.remove_prefix(dot + 1);
  }
}

bool ipv4(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    if (part > 0 && !ascii::consume(text, ".")) return false;
    const auto digits = ascii::consume_while(text, ascii::is_digit);
    if (digits.empty() || digits.size() > 3 || (digits.size() > 1 && digits.front() == '0')) return false;
    int number = 0;
    for (const char digit : digits) number = number * 10 + (digit - '0');
    if (number > 255) return false;
  }
  return text.empty();
}

bool ipv6(std::string_view text) {
  const auto gap = text.find("::");
  if (gap == text.npos) return count_groups(text, true) == 8;
  const auto before = count_groups(text.substr(0, gap), false);
  const auto after = count_groups(text.substr(gap + 2), true);
  return before && after && *before + *after <= 7;
}

}  // namespace fairlead::json::schema::formats
