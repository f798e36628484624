#pragma once

#include <fairlead/base/result.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::auth {

/// Percent-encodes everything except unreserved characters.
std::string form_encoded(std::string_view text);

/// Parameters of a form or a query, in order.
class Form {
 public:
  /// Omits the parameter if the value is empty.
  Form& add(std::string_view name, std::string_view value) {
    if (!value.empty()) fields_.emplace_back(name, value);
    return *this;
  }
  std::string text() const;
  std::string_view get(std::string_view name) const;
  void remove(std::string_view name);
  /// Replaces the values of secret parameters in a text that the server sent.
  std::string without_secrets(std::string text) const;

  /// Reads a query. `malformed` if a parameter occurs twice.
  static Result<Form> parse(std::string_view query);

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// Words of a scope, each once, in order of first use.
std::vector<std::string> scope_words(std::string_view scope);
/// The words of both.
std::string scope_union(std::string_view left, std::string_view right);
/// True if every word of `part` is in `whole`.
bool scope_contains(std::string_view whole, std::string_view part);

/// `bytes` random bytes in base64url.
std::string random_text(std::size_t bytes);

}  // namespace fairlead::auth
