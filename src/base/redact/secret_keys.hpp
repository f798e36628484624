#pragma once

#include <set>
#include <string>
#include <string_view>

namespace fairlead::redact {

/// Knows which names go with secret values.
class SecretKeys {
 public:
  static constexpr std::size_t longest = 128;

  SecretKeys();

  void add(std::string_view key);
  /// `lowered` is a name in small letters; `separator` is what stands before its value, ':' or '='.
  bool contains(std::string_view lowered, char separator) const;

 private:
  std::set<std::string, std::less<>> names_;
};

}  // namespace fairlead::redact
