#include "base/redact/known_values.hpp"

#include <algorithm>
#include <fairlead/base/utf8.hpp>
#include <string.h>

#include "base/redact/decoded_char.hpp"
#include "base/redact/value_finder.hpp"

namespace fairlead::redact {
namespace {

std::size_t read_unicode_escape(std::string_view text, std::size_t at, std::string& out) {
  const int high = read_hex(text, at + 2, 4);
  if (high < 0) {
    out += '\\';
    return 1;
  }
  auto code = static_cast<unsigned>(high);
  const bool pair = code >= 0xD800 && code < 0xDC00 && text.substr(at + 6, 2) == "\\u";
  const int low = pair ? read_hex(text, at + 8, 4) : -1;
  const bool is_pair = low >= 0xDC00 && low <= 0xDFFF;
  if (is_pair) code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<unsigned>(low) - 0xDC00);
  append_utf8(out, code);
  return is_pair ? 12 : 6;
}

// memmem stays linear on adversarial text.
void find_plain(std::string_view text, std::string_view value, RedactedSpans& found) {
  for (std::size_t at = 0; at < text.size();) {
    const void* hit = ::memmem(text.data() + at, text.size() - at, value.data(), value.size());
    if (hit == nullptr) return;
    at = static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
    found.push_back({.begin = at, .end = at + value.size()});
    at += value.size();
  }
}

void find_escaped(std::string_view text, const std::vector<std::string>& values, RedactedSpans& found) {
  constexpr std::size_t part_size = 16'384;
  constexpr int deepest = 3;  // Nested JSON strings; deeper nesting does not occur in logs.
  const auto longest = std::ranges::max(values, {}, &std::string::size).size();
  const ValueFinder::ValueSearch search{values, found, longest};
  ValueFinder stream(search, deepest, true);
  DecodedText part;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.size(), at + part_size);
    part.bytes = text.substr(at, end - at);
    part.origins.clear();
    for (; at < end; ++at) part.origins.push_back({at, at + 1});
    stream.feed(part, end == text.size());
  }
}

/// Finds the byte or JSON escape that contains a position. Positions must not decrease.
class EscapeCursor {
 public:
  explicit EscapeCursor(std::string_view text) : text_(text) {}

  DecodedText::SourceRange at(std::size_t position) {
    while (end_ <= position) {
      begin_ = std::min(text_.find('\\', end_), position);
      unused_.clear();
      end_ = begin_ + (text_[begin_] == '\\' ? read_json_escape(text_, begin_, unused_) : 1);
    }
    return {begin_, end_};
  }

 private:
  std::string_view text_;
  std::string unused_;
  std::size_t begin_ = 0, end_ = 0;
};

// A value found as plain text may begin or end inside an escape; half an escape would make the JSON invalid.
void widen_to_escapes(std::string_view text, RedactedSpans& spans) {
  std::ranges::sort(spans, {}, &RedactedSpan::begin);
  EscapeCursor begins(text);
  for (auto& span : spans) span.begin = begins.at(span.begin).begin;
  std::ranges::sort(spans, {}, &RedactedSpan::end);
  EscapeCursor ends(text);
  for (auto& span : spans) span.end = ends.at(span.end - 1).end;
}

}  // namespace

std::size_t read_json_escape(std::string_view text, std::size_t at, std::string& out) {
  constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
  const char letter = at + 1 < text.size() ? text[at + 1] : '\0';
  if (letter == 'u') return read_unicode_escape(text, at, out);
  const auto found = letter == '\0' ? std::string_view::npos : letters.find(letter);
  out += found == std::string_view::npos ? '\\' : meant[found];
  return found == std::string_view::npos ? 1 : 2;
}

std::size_t read_percent_escape(std::string_view text, std::size_t at, std::string& out) {
  const int code = read_hex(text, at + 1, 2);
  out += code < 0 ? '%' : static_cast<char>(code);
  return code < 0 ? 1 : 3;
}

void find_known_values(std::string_view text, const std::vector<std::string>& values, RedactedSpans& spans) {
  if (values.empty() || text.empty()) return;
  RedactedSpans found;
  for (const auto& value : values) find_plain(text, value, found);
  if (text.find_first_of("\\%") != std::string_view::npos) {
    find_escaped(text, values, found);
    widen_to_escapes(text, found);
  }
  spans.insert(spans.end(), found.begin(), found.end());
}

}  // namespace fairlead::redact
