#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

#include "cli/pin_report.hpp"
#include "cli/show.hpp"

/// Two texts, word by word.
namespace fairlead::cli {
namespace {

// Beyond that, words are not compared: somebody may have made them to keep us busy.
constexpr std::size_t most_words = 2'000;

using TextWords = std::vector<std::string_view>;

/// Words and the space between them, each by itself.
TextWords words_of_text(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  TextWords words;
  while (!text.empty()) {
    const bool space = is_space(text.front());
    const auto end = std::ranges::find_if(text, [&](char c) { return is_space(c) != space; });
    const auto size = static_cast<std::size_t>(end - text.begin());
    words.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return words;
}

/// How many words the rest of both have in common, from each place on.
class Common {
 public:
  Common(const TextWords& before, const TextWords& after)
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

// Every byte that is not ASCII by its number.
std::string by_numbers(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x80 && byte >= 0x20 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

/// Without the two that choose how an emoji looks, which are the only invisible ones that a terminal is given.
std::string as_it_looks(std::string text) {
  for (const std::string_view selector : {"\ufe0e", "\ufe0f"}) {
    for (auto at = text.find(selector); at != text.npos; at = text.find(selector, at)) text.erase(at, selector.size());
  }
  return text;
}

std::string replaced(const std::string& before, const std::string& after) {
  auto was = for_terminal(before), is = for_terminal(after);
  // What looks the same is not, and has to be seen.
  if (as_it_looks(was) == as_it_looks(is)) {
    was = by_numbers(before);
    is = by_numbers(after);
  }
  return (was.empty() ? "" : "[-" + was + "-]") + (is.empty() ? "" : "{+" + is + "+}");
}

}  // namespace

std::string show_words(std::string_view before, std::string_view after) {
  const auto old_words = words_of_text(before), new_words = words_of_text(after);
  if (old_words.size() > most_words || new_words.size() > most_words) {
    return replaced(std::string(before), std::string(after));
  }
  const Common common(old_words, new_words);
  std::string text, gone, come;
  std::size_t i = 0, j = 0;
  while (i < old_words.size() || j < new_words.size()) {
    const bool same = i < old_words.size() && j < new_words.size() && old_words[i] == new_words[j];
    if (same) {
      if (!gone.empty() || !come.empty()) text += replaced(gone, come);
      gone.clear();
      come.clear();
      text += for_terminal(old_words[i]);
      ++i;
      ++j;
    } else if (j == new_words.size() || (i < old_words.size() && common.at(i + 1, j) >= common.at(i, j + 1))) {
      gone += old_words[i++];
    } else {
      come += new_words[j++];
    }
  }
  return gone.empty() && come.empty() ? text : text + replaced(gone, come);
}

}  // namespace fairlead::cli
