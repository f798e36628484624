#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::redact {

/// Bytes [begin, end) of a text to redact.
struct RedactedSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  /// Written around the mark so that JSON stays valid: `"`, or `\"` inside a JSON string.
  std::string_view quote = {};
};

using RedactedSpans = std::vector<RedactedSpan>;

/// Replaces every span by the mark. Spans may overlap and be in any order.
std::string render(std::string_view text, RedactedSpans spans, std::string_view mark);

}  // namespace fairlead::redact
