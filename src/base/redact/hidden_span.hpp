#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::redact {

/// Bytes [begin, end) of a text that must not be seen.
struct HiddenSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  /// What to write around the mark so that JSON stays JSON, as in `"` or, inside a JSON string, `\"`.
  std::string_view quote = {};
};

using HiddenSpans = std::vector<HiddenSpan>;

/// The text with a mark in place of every span; spans may overlap and come in any order.
std::string render(std::string_view text, HiddenSpans spans, std::string_view mark);

}  // namespace fairlead::redact
