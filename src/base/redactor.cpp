#include <fairlead/base/redactor.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/redact/known_values.hpp"
#include "base/redact/secret_scan.hpp"
#include "base/redact/sensitive_keys.hpp"

namespace fairlead {
namespace {

/// Immutable snapshots, like those of a redactor.
struct ProcessSecrets {
  std::mutex mutex;
  std::shared_ptr<const std::vector<std::string>> values = std::make_shared<const std::vector<std::string>>();
};

ProcessSecrets& the_process_secrets() {
  static ProcessSecrets secrets;
  return secrets;
}

}  // namespace

// Immutable snapshot: redact() keeps using the one it started with while others add to a copy.
struct Redactor::Rules {
  redact::SensitiveKeys keys;
  std::vector<std::string> values;
};

Redactor::Redactor() : rules_(std::make_shared<const Rules>()) {}

Redactor::~Redactor() = default;

std::shared_ptr<const Redactor::Rules> Redactor::rules() const {
  const std::lock_guard lock(mutex_);
  return rules_;
}

template <class Change>
void Redactor::change(Change change) {
  const std::lock_guard lock(mutex_);
  auto next = std::make_shared<Rules>(*rules_);
  change(*next);
  rules_ = std::move(next);
}

void Redactor::add_key(std::string_view key) {
  change([key](Rules& rules) { rules.keys.add(key); });
}

bool Redactor::add_secret(std::string_view value) {
  if (value.size() < shortest_secret) return false;
  change([value](Rules& rules) {
    if (std::ranges::find(rules.values, value) == rules.values.end()) rules.values.emplace_back(value);
  });
  return true;
}

void Redactor::add_process_secret(std::string_view value) {
  constexpr std::size_t most = 256;
  if (value.size() < shortest_secret) return;
  auto& secrets = the_process_secrets();
  const std::lock_guard lock(secrets.mutex);
  if (std::ranges::find(*secrets.values, value) != secrets.values->end()) return;
  auto next = std::make_shared<std::vector<std::string>>(*secrets.values);
  if (next->size() == most) next->erase(next->begin());
  next->emplace_back(value);
  secrets.values = std::move(next);
}

std::shared_ptr<const std::vector<std::string>> Redactor::process_secrets() {
  auto& secrets = the_process_secrets();
  const std::lock_guard lock(secrets.mutex);
  return secrets.values;
}

std::string Redactor::redact(std::string_view text) const {
  const auto current = rules();
  redact::RedactedSpans spans;
  redact::find_known_values(text, current->values, spans);
  redact::find_known_values(text, *process_secrets(), spans);
  redact::SecretScan(text, current->keys, spans).run();
  return redact::render(text, std::move(spans), mark);
}

std::string Redactor::redact_values(std::string_view text) const {
  redact::RedactedSpans spans;
  redact::find_known_values(text, rules()->values, spans);
  redact::find_known_values(text, *process_secrets(), spans);
  return redact::render(text, std::move(spans), mark);
}

void RedactingSink::write(LogLevel level, std::string_view component, std::string_view message) noexcept try {
  if (enabled(level)) next_.write(level, component, redactor_.redact(message));
} catch (...) {
  // Out of memory: drop the line rather than write it unredacted.
}

}  // namespace fairlead
