#pragma once

#include <fairlead/base/redactor.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// Hides what a configuration must not show to whoever looks over a shoulder.
class Mask {
 public:
  Mask();

  /// Whether values of this name are secret, as in `GITHUB_TOKEN`.
  bool hides(std::string_view name) const;

  /// Or, for a variable, because nothing but a token looks like that: not `true`, `8080` or `/usr/bin`.
  bool hides_setting(std::string_view name, std::string_view value) const;

  /// The value of that name as it may be shown.
  std::string value(std::string_view name, std::string_view value) const;
  std::string setting(std::string_view name, std::string_view value) const;
  /// All headers are hidden but those that never carry a secret.
  std::string header(std::string_view name, std::string_view value) const;
  /// The words of a command: also the one behind `--token`.
  std::vector<std::string> words(const std::vector<std::string>& words) const;

 private:
  Redactor redactor_;
};

}  // namespace fairlead::gateway
