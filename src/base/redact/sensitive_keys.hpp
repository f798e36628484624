#pragma once

#include <set>
#include <string>
#include <string_view>

namespace fairlead::redact {

/// The names whose values are secret.
class SensitiveKeys {
 public:
  static constexpr std::size_t longest = 128;

  SensitiveKeys();

  void add(std::string_view key);
  /// `lowered` is a name in lower case; `separator` is the ':' or '=' before its value.
  bool contains(std::string_view lowered, char separator) const;

 private:
  std::set<std::string, std::less<>> names_;
};

}  // namespace fairlead::redact
