#include "base/redact/redacted_span.hpp"

#include <algorithm>

namespace fairlead::redact {
namespace {

RedactedSpans merged(RedactedSpans spans) {
  // Of two spans with the same begin the longer comes first, because its quotes apply.
  std::ranges::sort(spans, [](const RedactedSpan& a, const RedactedSpan& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::size_t kept = 0;
  for (const auto& span : spans) {
    if (kept > 0 && span.begin < spans[kept - 1].end) {
      spans[kept - 1].end = std::max(spans[kept - 1].end, span.end);
    } else {
      spans[kept++] = span;
    }
  }
  spans.resize(kept);
  return spans;
}

}  // namespace

std::string render(std::string_view text, RedactedSpans spans, std::string_view mark) {
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  for (const auto& span : merged(std::move(spans))) {
    out += text.substr(at, span.begin - at);
    out += span.quote;
    out += mark;
    out += span.quote;
    at = span.end;
  }
  out += text.substr(at);
  return out;
}

}  // namespace fairlead::redact
