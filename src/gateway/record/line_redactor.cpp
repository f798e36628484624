#include "gateway/record/line_redactor.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::gateway {
namespace {

void hide_all(std::string& text, std::string_view secret) {
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at + Redactor::mark.size())) {
    text.replace(at, secret.size(), Redactor::mark);
  }
}

}  // namespace

void LineRedactor::add_secrets(const std::vector<std::string>& secrets) {
  for (const auto& secret : secrets) {
    if (!redactor_.add_secret(secret)) continue;
    auto in_json = json::encode(secret);
    in_json = in_json.substr(1, in_json.size() - 2);
    if (std::ranges::find(secrets_, in_json) == secrets_.end()) secrets_.push_back(std::move(in_json));
  }
}

// Argument names in schemas are not secret: in lists only secret values are redacted.
std::string LineRedactor::clean(std::string text, bool is_metadata) const {
  if (!is_metadata) return redactor_.redact(text);
  for (const auto& secret : secrets_) hide_all(text, secret);
  for (const auto& secret : *Redactor::process_secrets()) hide_all(text, secret);
  return text;
}

}  // namespace fairlead::gateway
