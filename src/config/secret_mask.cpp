#include "config/secret_mask.hpp"

#include <algorithm>
#include <array>

#include "base/redact/secret_variables.hpp"

namespace fairlead::config {
namespace {

// Name endings that mark a secret in a configuration, but not in messages.
constexpr auto more_keys = std::to_array<std::string_view>({"key", "pass", "pat", "auth", "dsn", "pin", "sid"});

constexpr auto harmless_headers = std::to_array<std::string_view>(
    {"accept", "accept-language", "content-type", "user-agent", "cache-control", "x-client-name"});

std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

}  // namespace

SecretMask::SecretMask() {
  for (const auto key : more_keys) redactor_.add_key(key);
}

bool SecretMask::hides(std::string_view name) const {
  const auto line = std::string(name) + ": value";
  return redactor_.redact(line) != line;
}

std::string SecretMask::value(std::string_view name, std::string_view value) const {
  if (value.empty()) return {};
  return hides(name) ? std::string(Redactor::mark) : redactor_.redact(value);
}

bool SecretMask::hides_setting(std::string_view name, std::string_view value) const {
  constexpr std::size_t shortest_named = 6, shortest_token = 12;
  if (hides(name)) return value.size() >= shortest_named;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return value.size() >= shortest_token && value.find_first_of("/ ") == std::string_view::npos &&
         std::ranges::any_of(value, is_digit) && std::ranges::any_of(value, is_letter);
}

std::string SecretMask::setting(std::string_view name, std::string_view value) const {
  return hides_setting(name, value) ? std::string(Redactor::mark) : this->value(name, value);
}

std::string SecretMask::header(std::string_view name, std::string_view value) const {
  const bool harmless = std::ranges::find(harmless_headers, lowered(name)) != harmless_headers.end();
  return harmless ? this->value(name, value) : std::string(Redactor::mark);
}

std::vector<std::string> SecretMask::words(const std::vector<std::string>& words) const {
  return redacted_command(words, redactor_);
}

}  // namespace fairlead::config
