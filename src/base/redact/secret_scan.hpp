#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/redact/hidden_span.hpp"
#include "base/redact/secret_keys.hpp"
#include "base/redact/text_unit.hpp"
#include "base/redact/token_shapes.hpp"

namespace fairlead::redact {

/// One pass over a text that finds values of telling names and tokens of telling shapes.
///
/// It parses no format: it remembers the last word and, at a ':' or '=', judges whether that was a name. So JSON, JSON
/// within JSON, headers, forms and fragments of all these go through the same few rules.
class SecretScan {
 public:
  SecretScan(std::string_view text, const SecretKeys& keys, HiddenSpans& spans)
      : text_(text), keys_(keys), spans_(spans), shapes_(text) {}

  void run();

 private:
  /// The last word, as long as only blanks, or its own closing quote, followed.
  struct Name {
    std::string lowered;
    std::size_t end = 0;
    char before = 0;  // A letter that may belong to it, or to an escape such as \n before it.
    std::optional<TextUnit> closing_quote = {};
    std::size_t quote_at = 0;
  };

  void take(const TextUnit& unit);
  void take_word();
  void take_quote(const TextUnit& unit);
  void take_space(const TextUnit& unit);
  void take_separator(const TextUnit& unit);
  bool hide_token(std::size_t at);

  bool names_secret(char separator) const;
  void hide_value(const TextUnit& separator);
  void hide_json_value();
  void hide_string(const TextUnit& quote);
  void hide(std::size_t end, std::string_view quote = {});
  void find_password_in_url();

  void skip_blanks(bool across_lines);
  std::size_t end_of_string(std::size_t at, const TextUnit& quote) const;
  std::size_t end_of_container(std::size_t at, const TextUnit& quote) const;
  std::size_t end_of_scalar(std::size_t at) const;
  std::size_t end_of_header(std::size_t at) const;
  std::size_t end_of_parameter(std::size_t at, bool encoded) const;
  bool closes_enclosing(const TextUnit& unit) const;
  void toggle(unsigned level);

  std::string_view text_;
  const SecretKeys& keys_;
  HiddenSpans& spans_;
  TokenShapes shapes_;
  std::size_t at_ = 0;
  std::optional<Name> name_;
  char escape_letter_ = 0;          // Of a control escape that ended right here.
  std::uint64_t open_strings_ = 0;  // Bit n: we are inside a string whose quotes have level n.
};

}  // namespace fairlead::redact
