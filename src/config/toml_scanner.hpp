#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::config {

/// Tokenizer of TOML 1.0: keys, strings and scalars. After the first error all functions return false. `text` is valid
/// UTF-8 and outlives it.
class TomlScanner {
 public:
  explicit TomlScanner(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(std::string_view word);

  /// Skips spaces and tabs.
  void skip_space();
  /// Skips spaces, line ends and comments.
  bool skip_lines();
  /// Expects the end of the line, after a comment if any.
  bool end_line();

  /// `a."b c".'d'`
  bool read_key(std::vector<std::string>& parts);
  /// Reads any of the four kinds of strings.
  bool read_string(std::string& out);
  /// Reads a boolean, a number or a date as text. Integers become decimal.
  bool read_plain(std::string& out);

  bool fail(std::string_view expected);
  std::size_t line() const { return line_; }
  /// The error in line `line()`; empty if there is none.
  const std::string& error() const { return error_; }

 private:
  bool skip_comment();
  bool take_line_end();
  bool read_key_part(std::string& out);
  bool read_basic(std::string& out, bool many_lines);
  bool read_literal(std::string& out, bool many_lines);
  bool read_escape(std::string& out, bool many_lines);
  bool read_code_point(std::string& out, std::size_t digits);
  bool take_text(std::string& out, bool many_lines);
  /// Reads the end of a multi-line string, which may have two quotes before it; nothing if the string continues.
  std::optional<bool> end_many_lines(std::string& out, char quote);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string error_ = {};
};

}  // namespace fairlead::config
