#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/redact/hidden_span.hpp"

namespace fairlead::redact {

/// Finds secrets that need no name, such as `Bearer …`, `ghp_…` or a private key. Asked about rising positions only.
class TokenShapes {
 public:
  explicit TokenShapes(std::string_view text) : text_(text) {}

  /// What to hide if a secret is announced at `at`, the first byte of a word.
  std::optional<HiddenSpan> at(std::size_t at);

 private:
  std::optional<HiddenSpan> credentials(std::size_t at) const;
  std::optional<HiddenSpan> known_prefix(std::size_t at) const;
  std::optional<HiddenSpan> json_web_token(std::size_t at);
  std::optional<HiddenSpan> private_key(std::size_t at) const;

  std::string_view text_;
  std::size_t no_token_before_ = 0;
};

}  // namespace fairlead::redact
