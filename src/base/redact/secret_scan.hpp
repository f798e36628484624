#pragma once

#include "base/redact/decoded_char.hpp"
#include "base/redact/redacted_span.hpp"
#include "base/redact/sensitive_keys.hpp"
#include "base/redact/token_patterns.hpp"

namespace fairlead::redact {

/// Finds values of sensitive names and tokens with a known pattern in one pass over a text.
///
/// It parses no format: it remembers the last word and, at a ':' or '=', checks whether that is a sensitive name. The
/// same rules thus cover JSON, JSON within JSON, headers, forms and fragments of these.
class SecretScan {
 public:
  SecretScan(std::string_view text, const SensitiveKeys& keys, RedactedSpans& spans)
      : text_(text), keys_(keys), spans_(spans), patterns_(text) {}

  void run();

 private:
  /// The last word, if only blanks or its closing quote have followed it.
  struct Name {
    std::string lowered;
    std::size_t end = 0;
    char before = 0;  // A letter before it that belongs to it or to an escape such as \n.
    std::optional<DecodedChar> closing_quote = {};
    std::size_t quote_at = 0;
  };

  void on_char(const DecodedChar& unit);
  void on_word();
  void on_quote(const DecodedChar& unit);
  void on_space(const DecodedChar& unit);
  void on_separator(const DecodedChar& unit);
  bool hide_token(std::size_t at);

  bool names_secret(char separator) const;
  void hide_value(const DecodedChar& separator);
  void hide_json_value();
  void hide_string(const DecodedChar& quote);
  void hide(std::size_t end, std::string_view quote = {});
  void find_password_in_url();

  void skip_blanks(bool across_lines);
  std::size_t end_of_string(std::size_t at, const DecodedChar& quote) const;
  std::size_t end_of_container(std::size_t at, const DecodedChar& quote) const;
  std::size_t end_of_scalar(std::size_t at) const;
  std::size_t end_of_header(std::size_t at) const;
  std::size_t end_of_parameter(std::size_t at, bool encoded) const;
  bool closes_enclosing(const DecodedChar& unit) const;
  void toggle(unsigned level);

  std::string_view text_;
  const SensitiveKeys& keys_;
  RedactedSpans& spans_;
  TokenPatterns patterns_;
  std::size_t at_ = 0;
  std::optional<Name> name_;
  char escape_letter_ = 0;          // The letter of a control escape that ends here.
  std::uint64_t open_strings_ = 0;  // Bit n: inside a string whose quotes have level n.
};

}  // namespace fairlead::redact
