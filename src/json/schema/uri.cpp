#include "json/schema/uri.hpp"

#include <algorithm>

#include "base/uri.hpp"

namespace fairlead::json::schema {

Reference split_reference(std::string_view uri) {
  const auto hash = std::min(uri.find('#'), uri.size());
  const auto fragment = hash == uri.size() ? std::string_view{} : uri.substr(hash + 1);
  return {std::string(uri.substr(0, hash)), percent_decoded(fragment)};
}

std::string pointer_unescaped(std::string_view token) {
  std::string result;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    result += escape ? (token[++i] == '0' ? '~' : '/') : token[i];
  }
  return result;
}

std::string pointer_escaped(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace fairlead::json::schema
