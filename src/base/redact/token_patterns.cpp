#include "base/redact/token_patterns.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/redact/decoded_char.hpp"

namespace fairlead::redact {
namespace {

struct TokenPattern {
  std::string_view prefix;
  std::size_t shortest;  // Prefix included.
};

constexpr auto shapes = std::to_array<TokenPattern>({
    {"sk-", 20},   {"sk_live_", 16}, {"sk_test_", 16},    {"rk_live_", 16}, {"ghp_", 20},  {"gho_", 20},  {"ghu_", 20},
    {"ghs_", 20},  {"ghr_", 20},     {"github_pat_", 24}, {"glpat-", 20},   {"xoxb-", 15}, {"xoxp-", 15}, {"xoxa-", 15},
    {"xoxs-", 15}, {"xoxr-", 15},    {"xapp-", 15},       {"AKIA", 20},     {"ASIA", 20},  {"AIza", 30},  {"npm_", 30},
    {"hf_", 24},   {"ya29.", 20},    {"whsec_", 20},      {"pypi-", 24},
});

constexpr auto schemes = std::to_array<std::string_view>({"bearer", "basic", "dpop"});

// Words after the name of a scheme in prose and in challenges.
constexpr auto harmless = std::to_array<std::string_view>({
    "token",
    "tokens",
    "auth",
    "authentication",
    "authorization",
    "scheme",
    "challenge",
    "realm=",
    "error=",
    "scope=",
    "resource_metadata=",
    "error_description=",
    "error_uri=",
    "charset=",
    "algs=",
    "nonce=",
    "proof",
});

bool is_token_character(char c) {
  return is_alphanumeric(c) || c == '-' || c == '_';
}

// RFC 9110, section 11.2: token68.
bool is_token68(char c) {
  return is_token_character(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lowered) {
  return text.size() >= lowered.size() &&
         std::ranges::equal(text.substr(0, lowered.size()), lowered, {}, [](char c) { return lower(c); });
}

std::size_t end_of_run(std::string_view text, std::size_t at, bool dots) {
  while (at < text.size() && (is_token_character(text[at]) || (dots && text[at] == '.'))) ++at;
  return at;
}

template <class Wanted>
std::size_t skip_units(std::string_view text, std::size_t at, Wanted wanted) {
  while (at < text.size()) {
    const auto unit = decode_char(text, at);
    const bool plain = unit.kind == DecodedChar::Kind::character || unit.kind == DecodedChar::Kind::percent;
    if (!plain || !wanted(unit.value)) break;
    at += unit.size;
  }
  return at;
}

bool is_harmless(std::string_view word) {
  return std::ranges::any_of(harmless, [&](std::string_view known) {
    return word.size() == known.size() && starts_with_ignoring_case(word, known);
  });
}

}  // namespace

std::optional<RedactedSpan> TokenPatterns::at(std::size_t at) {
  switch (text_[at]) {
    case '-': return private_key(at);
    case 'b':
    case 'B':
    case 'd':
    case 'D': return credentials(at);
    case 'e': return json_web_token(at);
    default: return known_prefix(at);
  }
}

std::optional<RedactedSpan> TokenPatterns::credentials(std::size_t at) const {
  for (const auto scheme : schemes) {
    if (!starts_with_ignoring_case(text_.substr(at), scheme)) continue;
    const auto gap = at + scheme.size();
    const auto begin = skip_units(text_, gap, [](char c) { return c == ' ' || c == '+'; });
    const auto end = skip_units(text_, begin, is_token68);
    if (begin == gap || begin == end || is_harmless(text_.substr(begin, end - begin))) return std::nullopt;
    return RedactedSpan{.begin = begin, .end = end};
  }
  return std::nullopt;
}

std::optional<RedactedSpan> TokenPatterns::known_prefix(std::size_t at) const {
  for (const auto& shape : shapes) {
    if (!text_.substr(at).starts_with(shape.prefix)) continue;
    const auto end = end_of_run(text_, at + shape.prefix.size(), false);
    if (end - at >= shape.shortest) return RedactedSpan{.begin = at, .end = end};
  }
  return std::nullopt;
}

// "eyJ" is `{"` in base64. A token has three parts separated by dots, or fewer if the text ends within it.
std::optional<RedactedSpan> TokenPatterns::json_web_token(std::size_t at) {
  if (at < no_token_before_ || !text_.substr(at).starts_with("eyJ")) return std::nullopt;
  const auto end = end_of_run(text_, at, true);
  const auto dots = std::ranges::count(text_.substr(at, end - at), '.');
  if (dots >= 2 || (end == text_.size() && end - at > 8)) return RedactedSpan{.begin = at, .end = end};
  no_token_before_ = end;
  return std::nullopt;
}

std::optional<RedactedSpan> TokenPatterns::private_key(std::size_t at) const {
  constexpr std::string_view begin_mark = "-----BEGIN ", key_mark = "PRIVATE KEY-----", end_mark = "-----END";
  constexpr std::size_t longest_header = 64;
  const auto header = text_.substr(at, longest_header);
  if (!header.starts_with(begin_mark)) return std::nullopt;
  const auto key = header.find(key_mark);
  if (key == std::string_view::npos) return std::nullopt;
  const auto begin = at + key + key_mark.size();
  // Ends at the end of the enclosing JSON string, without the backslashes of the closing quote.
  auto limit = std::min(text_.find('"', begin), text_.size());
  while (limit < text_.size() && limit > begin && text_[limit - 1] == '\\') --limit;
  const auto end = std::min(text_.substr(0, limit).find(end_mark, begin), limit);
  return RedactedSpan{.begin = begin, .end = end};
}

}  // namespace fairlead::redact
