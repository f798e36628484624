#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/protocol/uri_template_syntax.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fairlead::protocol {

/// A text, a list, or a map that keeps its order. An empty list or map counts as undefined (RFC 6570, 2.3).
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
  std::string literal = {};  ///< As it stands in an expanded URI.
  char operation = '\0';
  std::vector<TemplateItem> items = {};
  std::string stops = {};  ///< Where a match ends: what the next expressions open with.
  std::map<std::string, std::size_t, std::less<>> names = {};  ///< Item by name, for `;`, `?` and `&`.
};

}  // namespace detail

/// A URI template, RFC 6570 level 4. Immutable, so threads may share one.
class UriTemplate {
 public:
  /// An error says at which byte the template is wrong, and why.
  static Result<UriTemplate> parse(std::string_view text);

  /// What is not in `variables` leaves no trace. A prefix (`:3`) is ignored on a list or a map, where it means nothing.
  std::string expand(const TemplateVariables& variables) const;

  /// The inverse: values that make this URI, or nothing if the URI does not fit.
  ///
  /// - `{id}` takes one or more characters of one path segment: never `/`, `?`, `#` or `&`. `{+path}` and `{#part}`
  /// take
  ///   any. An expression ends before the character that a directly following one opens with, else as late as it can.
  /// - Of several variables in one expression the last takes what is left. `{?a,b}`, `{&a,b}` and `{;a,b}` accept their
  ///   pairs in any order and without some; a pair they do not name, or name once and see twice, does not fit.
  /// - Values come back percent-decoded and are UTF-8. **So `{id}` holds a `/` where the URI had `%2F`**: ask
  ///   stays_inside() before it becomes a path. In `{+path}`, `{#part}` and an exploded `{list*}`, where separators can
  ///   be part of the text, an escape of a reserved character or of `%` stays as it is and cannot become one.
  /// - An exploded list is its items joined by its separator; in a query, its values or foreign `name=value` pairs
  ///   joined by a comma. A prefix (`{id:3}`) is all there is to know of its variable.
  /// - The work is bounded in proportion to the URI; a template so ambiguous that this is not enough does not match.
  std::optional<TemplateMatch> match(std::string_view uri) const;

  /// Each name once, in the order of the template.
  std::span<const std::string> variables() const { return variables_; }
  std::string_view text() const { return text_; }

 private:
  friend struct TemplateBuilder;
  UriTemplate() = default;

  std::string text_;
  std::vector<std::string> variables_;
  std::vector<detail::TemplatePart> parts_;
};

/// Whether a matched value, put behind a folder's name, stays in that folder on every system: no `..`, no root, no
/// backslash, colon or NUL.
bool stays_inside(std::string_view value);

}  // namespace fairlead::protocol
