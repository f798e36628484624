#include "gateway/middleware/glob.hpp"

#include <algorithm>

namespace fairlead::gateway {

// Backtracks to the last star only: earlier stars have already matched as early as possible.
bool glob_matches(std::string_view pattern, std::string_view text) {
  constexpr auto none = std::string_view::npos;
  std::size_t at = 0, in = 0, star = none, resume = 0;
  while (at < text.size()) {
    const bool is_star = in < pattern.size() && pattern[in] == '*';
    if (is_star) {
      star = in++;
      resume = at;
    } else if (in < pattern.size() && (pattern[in] == '?' || pattern[in] == text[at])) {
      ++in;
      ++at;
    } else if (star != none) {
      in = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in) == none;
}

bool any_matches(const std::vector<std::string>& patterns, std::string_view text) {
  return std::ranges::any_of(patterns, [&](const auto& pattern) { return glob_matches(pattern, text); });
}

std::optional<std::string_view> glob_rest(std::string_view pattern, std::string_view text) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text ? std::optional(std::string_view()) : std::nullopt;
  const auto before = pattern.substr(0, star), after = pattern.substr(star + 1);
  const bool fits = text.size() >= before.size() + after.size() && text.starts_with(before) && text.ends_with(after);
  if (!fits) return std::nullopt;
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

}  // namespace fairlead::gateway
