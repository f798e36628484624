#include "auth/client/form.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fairlead/base/base64.hpp>
#include <fairlead/base/redactor.hpp>

#include "base/uri.hpp"
#include "crypto/random.hpp"

namespace fairlead::auth {

std::string form_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~') {
      out += c;
    } else {
      out += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return out;
}

std::string Form::text() const {
  std::string out;
  for (const auto& [name, value] : fields_) {
    out += (out.empty() ? "" : "&") + form_encoded(name) + "=" + form_encoded(value);
  }
  return out;
}

std::string_view Form::get(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, [](const auto& field) { return std::string_view(field.first); });
  return found == fields_.end() ? std::string_view() : std::string_view(found->second);
}

void Form::remove(std::string_view name) {
  std::erase_if(fields_, [&](const auto& field) { return field.first == name; });
}

std::string Form::without_secrets(std::string text) const {
  constexpr std::array<std::string_view, 8> secret{"assertion",     "client_assertion", "client_secret",
                                                   "code",          "code_verifier",    "device_code",
                                                   "refresh_token", "subject_token"};
  for (const auto& [name, value] : fields_) {
    if (std::ranges::find(secret, name) == secret.end()) continue;
    for (auto at = text.find(value); at != std::string::npos; at = text.find(value, at)) {
      text.replace(at, value.size(), Redactor::mark);
      at += Redactor::mark.size();
    }
  }
  return text;
}

Result<Form> Form::parse(std::string_view query) {
  Form form;
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    std::string part(query.substr(0, end));
    query.remove_prefix(std::min(end + 1, query.size()));
    if (part.empty()) continue;
    std::ranges::replace(part, '+', ' ');
    const auto equals = std::min(part.find('='), part.size());
    auto name = percent_decoded(std::string_view(part).substr(0, equals));
    const bool repeated = std::ranges::any_of(form.fields_, [&](const auto& field) { return field.first == name; });
    if (repeated) return fail(ErrorKind::malformed, "a parameter occurs twice: " + name);
    auto value = equals < part.size() ? percent_decoded(std::string_view(part).substr(equals + 1)) : std::string();
    form.fields_.emplace_back(std::move(name), std::move(value));
  }
  return form;
}

std::vector<std::string> scope_words(std::string_view scope) {
  std::vector<std::string> words;
  while (!scope.empty()) {
    const auto end = std::min(scope.find(' '), scope.size());
    std::string word(scope.substr(0, end));
    scope.remove_prefix(std::min(end + 1, scope.size()));
    if (!word.empty() && std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
  }
  return words;
}

std::string scope_union(std::string_view left, std::string_view right) {
  std::string out;
  for (const auto& word : scope_words(std::string(left) + " " + std::string(right))) {
    out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

bool scope_contains(std::string_view whole, std::string_view part) {
  const auto words = scope_words(whole);
  return std::ranges::all_of(scope_words(part),
                             [&](const auto& word) { return std::ranges::find(words, word) != words.end(); });
}

std::string random_text(std::size_t bytes) {
  return base64_encode(crypto::random_bytes(bytes), Base64::url);
}

}  // namespace fairlead::auth
