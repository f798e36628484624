#pragma once

#include <optional>

#include "base/redact/redacted_span.hpp"

namespace fairlead::redact {

/// Finds secrets by their own form, such as `Bearer …`, `ghp_…` or a private key. Positions must not decrease.
class TokenPatterns {
 public:
  explicit TokenPatterns(std::string_view text) : text_(text) {}

  /// The span to redact if a secret begins at `at`, the first byte of a word.
  std::optional<RedactedSpan> at(std::size_t at);

 private:
  std::optional<RedactedSpan> credentials(std::size_t at) const;
  std::optional<RedactedSpan> known_prefix(std::size_t at) const;
  std::optional<RedactedSpan> json_web_token(std::size_t at);
  std::optional<RedactedSpan> private_key(std::size_t at) const;

  std::string_view text_;
  std::size_t no_token_before_ = 0;
};

}  // namespace fairlead::redact
