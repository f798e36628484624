#include <algorithm>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/redactor.hpp>
#include <memory>

#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway {
namespace {

void redact_secret(std::string& text, const std::string& secret) {
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
    text.replace(at, secret.size(), Redactor::mark);
    at += Redactor::mark.size();
  }
}

// Redacts a secret that was truncated at the end of the text.
void redact_truncated_secret(std::string& text, std::string_view secret) {
  for (auto size = std::min(secret.size(), text.size()); size >= Redactor::shortest_secret; --size) {
    if (!text.ends_with(secret.substr(0, size))) continue;
    text.replace(text.size() - size, size, Redactor::mark);
    return;
  }
}

Diagnosis redacted(const std::vector<std::string>& secrets, Diagnosis diagnosis) {
  std::vector<std::string*> texts;
  for (auto* text : {&diagnosis.command, &diagnosis.step, &diagnosis.stdout_, &diagnosis.advice}) {
    if (*text) texts.push_back(&**text);
  }
  for (auto& line : diagnosis.stderr_) texts.push_back(&line);
  for (auto* text : texts) {
    for (const auto& secret : secrets) {
      redact_secret(*text, secret);
      redact_truncated_secret(*text, secret);
    }
  }
  return diagnosis;
}

}  // namespace

Error redacted(const std::vector<std::string>& secrets, Error error) {
  auto all = secrets;
  const auto tokens = Redactor::process_secrets();
  all.insert(all.end(), tokens->begin(), tokens->end());
  for (const auto& secret : all) {
    for (auto* text : {&error.message, &error.data}) redact_secret(*text, secret);
    redact_truncated_secret(error.message, secret);
  }
  if (error.diagnosis) error.diagnosis = std::make_shared<const Diagnosis>(redacted(all, *error.diagnosis));
  return error;
}

}  // namespace fairlead::gateway
