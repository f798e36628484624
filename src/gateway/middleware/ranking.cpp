#include "gateway/middleware/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace fairlead::gateway {
namespace {

enum class Letter : std::uint8_t { none, lower, upper, digit };

Letter letter(char c) {
  if (c >= 'A' && c <= 'Z') return Letter::upper;
  if (c >= '0' && c <= '9') return Letter::digit;
  // Non-ASCII bytes count as letters.
  return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80 ? Letter::lower : Letter::none;
}

// Removes a plural s.
std::string stem(std::string word) {
  constexpr std::size_t shortest = 4;
  if (word.size() >= shortest && word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
  return word;
}

using WordCounts = std::map<std::string, double>;

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(stem(std::exchange(word, {})));
  };
  auto before = Letter::none;
  for (const char c : text) {
    const auto now = letter(c);
    if (now == Letter::none || (now == Letter::upper && before == Letter::lower)) end_word();
    if (now != Letter::none) word += now == Letter::upper ? static_cast<char>(c + ('a' - 'A')) : c;
    before = now;
  }
  end_word();
  return words;
}

std::vector<std::size_t> ranked(std::string_view query, const std::vector<std::string>& texts) {
  std::vector<WordCounts> counts(texts.size());
  std::vector<double> lengths(texts.size());
  WordCounts in_texts;
  double total = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (auto& word : words_of(texts[i])) {
      if (++counts[i][word] == 1) ++in_texts[word];
      ++lengths[i];
    }
    total += lengths[i];
  }
  constexpr double saturation = 1.2, by_length = 0.75;
  const auto all = static_cast<double>(texts.size());
  const double average = std::max(total / std::max(all, 1.0), 1.0);
  std::vector<std::pair<double, std::size_t>> scores;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    double score = 0;
    for (const auto& word : words_of(query)) {
      const auto found = counts[i].find(word);
      if (found == counts[i].end()) continue;
      const double rarity = std::log(1 + (all - in_texts[word] + 0.5) / (in_texts[word] + 0.5));
      const double long_text = saturation * (1 - by_length + by_length * lengths[i] / average);
      score += rarity * found->second * (saturation + 1) / (found->second + long_text);
    }
    if (score > 0) scores.emplace_back(-score, i);
  }
  std::ranges::sort(scores);
  std::vector<std::size_t> best;
  for (const auto& [score, index] : scores) best.push_back(index);
  return best;
}

}  // namespace fairlead::gateway
