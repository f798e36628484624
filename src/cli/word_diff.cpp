#include "cli/word_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

// Longer texts are not compared, because the cost is quadratic and the texts are untrusted.
constexpr std::size_t max_tokens = 2'000;

using DiffTokens = std::vector<std::string_view>;

/// Splits text into words and the white space between them.
DiffTokens tokenize(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  DiffTokens tokens;
  while (!text.empty()) {
    const bool space = is_space(text.front());
    const auto end = std::ranges::find_if(text, [&](char c) { return is_space(c) != space; });
    const auto size = static_cast<std::size_t>(end - text.begin());
    tokens.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return tokens;
}

/// Table of the longest common subsequence: its length for every pair of suffixes.
class LcsTable {
 public:
  LcsTable(const DiffTokens& before, const DiffTokens& after)
      : width_(after.size() + 1), lengths_((before.size() + 1) * width_) {
    for (auto i = before.size(); i-- > 0;) {
      for (auto j = after.size(); j-- > 0;) {
        const bool same = before[i] == after[j];
        lengths_[i * width_ + j] =
            same ? static_cast<std::uint16_t>(at(i + 1, j + 1) + 1) : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  std::uint16_t at(std::size_t i, std::size_t j) const { return lengths_[i * width_ + j]; }

 private:
  std::size_t width_;
  std::vector<std::uint16_t> lengths_;
};

// Shows non-ASCII and control bytes as \xNN.
std::string escape_non_ascii(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x80 && byte >= 0x20 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

/// Removes the emoji variation selectors, the only invisible characters that are not escaped for a terminal.
std::string without_variation_selectors(std::string text) {
  for (const std::string_view selector : {"\ufe0e", "\ufe0f"}) {
    for (auto at = text.find(selector); at != text.npos; at = text.find(selector, at)) text.erase(at, selector.size());
  }
  return text;
}

std::string replacement_text(const std::string& before, const std::string& after) {
  auto was = escape_for_terminal(before), is = escape_for_terminal(after);
  // The texts differ but look the same: show their bytes.
  if (without_variation_selectors(was) == without_variation_selectors(is)) {
    was = escape_non_ascii(before);
    is = escape_non_ascii(after);
  }
  return (was.empty() ? "" : "[-" + was + "-]") + (is.empty() ? "" : "{+" + is + "+}");
}

}  // namespace

std::string show_word_diff(std::string_view before, std::string_view after) {
  const auto old_tokens = tokenize(before), new_tokens = tokenize(after);
  if (old_tokens.size() > max_tokens || new_tokens.size() > max_tokens) {
    return replacement_text(std::string(before), std::string(after));
  }
  const LcsTable common(old_tokens, new_tokens);
  std::string text, removed, added;
  std::size_t i = 0, j = 0;
  while (i < old_tokens.size() || j < new_tokens.size()) {
    const bool same = i < old_tokens.size() && j < new_tokens.size() && old_tokens[i] == new_tokens[j];
    if (same) {
      if (!removed.empty() || !added.empty()) text += replacement_text(removed, added);
      removed.clear();
      added.clear();
      text += escape_for_terminal(old_tokens[i]);
      ++i;
      ++j;
    } else if (j == new_tokens.size() || (i < old_tokens.size() && common.at(i + 1, j) >= common.at(i, j + 1))) {
      removed += old_tokens[i++];
    } else {
      added += new_tokens[j++];
    }
  }
  return removed.empty() && added.empty() ? text : text + replacement_text(removed, added);
}

}  // namespace fairlead::cli
