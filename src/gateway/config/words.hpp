#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

/// Cuts a line as a shell would, without being one: quotes and backslashes keep characters together, and `${…}` stays
/// in one piece.
namespace fairlead::gateway {

/// What is wrong with a line, and at which byte.
struct Flaw {
  std::size_t at = 0;
  std::string message;
};

template <class T>
using Cut = std::expected<T, Flaw>;

struct Piece {
  std::string text;
  std::size_t at = 0;  ///< Where it starts.

  bool operator==(const Piece&) const = default;
};

/// The parts between separators that stand outside of quotes and parentheses, as they are but for the space around.
Cut<std::vector<Piece>> split(std::string_view line, char separator);

/// The words of a command, without their quotes.
Cut<std::vector<Piece>> split_words(std::string_view line);

/// One word that may contain spaces, without its quotes.
Cut<std::string> unquote(std::string_view text);

/// In quotes that `unquote` takes away again.
std::string in_quotes(std::string_view text);

/// Where `wanted` stands outside of quotes; npos for nowhere.
std::size_t find_outside(std::string_view text, char wanted);

}  // namespace fairlead::gateway
