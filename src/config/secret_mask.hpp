#pragma once

#include <fairlead/base/redactor.hpp>

namespace fairlead::config {

/// Masks secrets in a configuration for display.
class SecretMask {
 public:
  SecretMask();

  /// True if values of this name are secret, as in `GITHUB_TOKEN`.
  bool hides(std::string_view name) const;

  /// Also true for values that look like tokens: not `true`, `8080` or `/usr/bin`.
  bool hides_setting(std::string_view name, std::string_view value) const;

  /// Returns the value or its mask.
  std::string value(std::string_view name, std::string_view value) const;
  std::string setting(std::string_view name, std::string_view value) const;
  /// Masks all headers but those that never carry a secret.
  std::string header(std::string_view name, std::string_view value) const;
  /// Masks arguments of a command, including the one after `--token`.
  std::vector<std::string> words(const std::vector<std::string>& words) const;

 private:
  Redactor redactor_;
};

}  // namespace fairlead::config
