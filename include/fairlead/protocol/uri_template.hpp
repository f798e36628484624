#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/protocol/uri_template_syntax.hpp>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace fairlead::protocol {

/// A string, a list, or an ordered map. An empty list or map counts as undefined (RFC 6570, 2.3).
using TemplateValue =
    std::variant<std::string, std::vector<std::string>, std::vector<std::pair<std::string, std::string>>>;
using TemplateVariables = std::map<std::string, TemplateValue, std::less<>>;
using TemplateMatch = std::map<std::string, std::string, std::less<>>;

namespace detail {

struct TemplateItem {
  std::string name;
  std::uint16_t prefix = 0;
  bool explode = false;
};

/// A literal, or an expression if it has items.
struct TemplatePart {
  std::string literal = {};  ///< In the form of an expanded URI.
  char operation = '\0';
  std::vector<TemplateItem> items = {};
  std::string stops = {};  ///< Characters that end a match: the first ones of the next expressions.
  std::map<std::string, std::size_t, std::less<>> names = {};  ///< Item by name, for `;`, `?` and `&`.
};

}  // namespace detail

/// A URI template, RFC 6570 level 4. Immutable and thread-safe.
class UriTemplate {
 public:
  /// The error contains the byte offset and the reason.
  static Result<UriTemplate> parse(std::string_view text);

  /// Variables that are not in `variables` expand to nothing. A prefix (`:3`) is ignored for a list or a map.
  std::string expand(const TemplateVariables& variables) const;

  /// The inverse of expand(): the values that give this URI, or nothing if the URI does not match.
  ///
  /// - `{id}` matches one or more characters of one path segment: not `/`, `?`, `#` or `&`. `{+path}` and `{#part}`
  ///   match any. An expression ends before the first character of a directly following one, otherwise as late as
  ///   possible.
  /// - The last variable of an expression takes the rest. `{?a,b}`, `{&a,b}` and `{;a,b}` accept their pairs in any
  ///   order and may lack some; an unknown or repeated pair does not match.
  /// - Values are percent-decoded and are UTF-8. **So `{id}` contains a `/` where the URI had `%2F`**: check
  ///   is_safe_relative_path() before using it as a path. In `{+path}`, `{#part}` and an exploded `{list*}`, whose
  ///   text may contain separators, escapes of reserved characters and of `%` are not decoded.
  /// - An exploded list gives its items joined by its separator; in a query, its values or other `name=value` pairs
  ///   joined by a comma. For a prefix (`{id:3}`), the value is the prefix.
  /// - The work is bounded in proportion to the URI; a template that is too ambiguous for this limit does not match.
  std::optional<TemplateMatch> match(std::string_view uri) const;

  /// The variable names in the order of the template, each once.
  std::span<const std::string> variables() const { return variables_; }
  std::string_view text() const { return text_; }

 private:
  friend struct TemplateBuilder;
  UriTemplate() = default;

  std::string text_;
  std::vector<std::string> variables_;
  std::vector<detail::TemplatePart> parts_;
};

/// True if a matched value, appended to a directory, cannot leave that directory on any system: no `..`, no root, no
/// backslash, colon or NUL.
bool is_safe_relative_path(std::string_view value);

}  // namespace fairlead::protocol
