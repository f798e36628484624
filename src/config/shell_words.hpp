#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

/// Splits a line like a shell: quotes and backslashes keep characters together, and `${…}` is not split.
namespace fairlead::config {

/// A syntax error and its byte offset.
struct SyntaxError {
  std::size_t at = 0;
  std::string message;
};

template <class T>
using Parsed = std::expected<T, SyntaxError>;

struct Token {
  std::string text;
  std::size_t at = 0;  ///< Byte offset.

  bool operator==(const Token&) const = default;
};

/// Splits at separators outside of quotes and parentheses and trims the parts.
Parsed<std::vector<Token>> split(std::string_view line, char separator);

/// Splits a command into unquoted words.
Parsed<std::vector<Token>> split_words(std::string_view line);

/// Removes the quotes of one word, which may contain spaces.
Parsed<std::string> unquote(std::string_view text);

/// Quotes a text so that `unquote` returns it.
std::string in_quotes(std::string_view text);

/// Offset of `wanted` outside of quotes, or npos.
std::size_t find_outside(std::string_view text, char wanted);

}  // namespace fairlead::config
