#include "base/redact/secret_values.hpp"

#include <algorithm>
#include <cstddef>
#include <fairlead/base/utf8.hpp>
#include <string.h>

#include "base/redact/text_unit.hpp"

namespace fairlead::redact {
namespace {

/// A text after decoding that remembers where each of its bytes was written.
struct View {
  std::string bytes;
  std::vector<std::size_t> begin, end;

  void add(char byte, std::size_t from, std::size_t to) {
    bytes += byte;
    begin.push_back(from);
    end.push_back(to);
  }
};

View plain(std::string_view text) {
  View view;
  for (std::size_t i = 0; i < text.size(); ++i) view.add(text[i], i, i + 1);
  return view;
}

std::string utf8(unsigned code) {
  std::string bytes;
  append_utf8(bytes, code);
  return bytes;
}

struct Piece {
  std::string bytes;
  std::size_t size = 1;
};

Piece read_unicode_escape(std::string_view text, std::size_t at) {
  const int high = read_hex(text, at + 2, 4);
  if (high < 0) return {"\\", 1};
  const auto code = static_cast<unsigned>(high);
  const bool pair = code >= 0xD800 && code < 0xDC00 && text.substr(at + 6, 2) == "\\u";
  const int low = pair ? read_hex(text, at + 8, 4) : -1;
  if (low < 0xDC00 || low > 0xDFFF) return {utf8(code), 6};
  return {utf8(0x10000 + ((code - 0xD800) << 10) + (static_cast<unsigned>(low) - 0xDC00)), 12};
}

Piece read_json(std::string_view text, std::size_t at) {
  if (text[at] != '\\' || at + 1 == text.size()) return {std::string(1, text[at])};
  switch (text[at + 1]) {
    case '"':
    case '\\':
    case '/': return {std::string(1, text[at + 1]), 2};
    case 'b': return {"\b", 2};
    case 'f': return {"\f", 2};
    case 'n': return {"\n", 2};
    case 'r': return {"\r", 2};
    case 't': return {"\t", 2};
    case 'u': return read_unicode_escape(text, at);
    default: return {"\\", 1};
  }
}

Piece read_percent(std::string_view text, std::size_t at) {
  const int code = text[at] == '%' ? read_hex(text, at + 1, 2) : -1;
  if (code < 0) return {std::string(1, text[at])};
  return {std::string(1, static_cast<char>(code)), 3};
}

View decode(const View& in, Piece (*read)(std::string_view, std::size_t)) {
  View out;
  for (std::size_t at = 0; at < in.bytes.size();) {
    const auto piece = read(in.bytes, at);
    for (const char byte : piece.bytes) out.add(byte, in.begin[at], in.end[at + piece.size - 1]);
    at += piece.size;
  }
  return out;
}

// memmem, because it stays linear on text made to slow it down.
template <class Found>
void for_each_match(std::string_view text, std::string_view value, Found found) {
  for (std::size_t at = 0; at < text.size();) {
    const void* hit = ::memmem(text.data() + at, text.size() - at, value.data(), value.size());
    if (hit == nullptr) return;
    at = static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
    found(at, at + value.size());
    at += value.size();
  }
}

void search(const View& view, const std::vector<std::string>& values, HiddenSpans& spans) {
  for (const auto& value : values) {
    for_each_match(view.bytes, value, [&](std::size_t from, std::size_t to) {
      spans.push_back({.begin = view.begin[from], .end = view.end[to - 1]});
    });
  }
}

// A value found as plain text may begin or end inside an escape; half an escape left over would spoil the JSON.
void widen_to_escapes(const View& decoded, HiddenSpans& spans) {
  for (auto& span : spans) {
    const auto first = std::ranges::upper_bound(decoded.begin, span.begin) - decoded.begin.begin() - 1;
    const auto last = std::ranges::upper_bound(decoded.begin, span.end - 1) - decoded.begin.begin() - 1;
    span.begin = decoded.begin[static_cast<std::size_t>(first)];
    span.end = std::max(span.end, decoded.end[static_cast<std::size_t>(last)]);
  }
}

void search_percent(const View& view, const std::vector<std::string>& values, HiddenSpans& spans) {
  if (view.bytes.find('%') != std::string::npos) search(decode(view, read_percent), values, spans);
}

}  // namespace

void find_values(std::string_view text, const std::vector<std::string>& values, HiddenSpans& spans) {
  if (values.empty() || text.empty()) return;
  HiddenSpans found;
  for (const auto& value : values) {
    for_each_match(text, value, [&](std::size_t from, std::size_t to) { found.push_back({.begin = from, .end = to}); });
  }
  if (text.find_first_of("\\%") != std::string_view::npos) {
    // JSON in JSON in JSON is as deep as logs of logs go.
    constexpr int deepest = 3;
    auto view = plain(text);
    search_percent(view, values, found);
    const auto once = decode(view, read_json);
    for (int depth = 0; depth < deepest && view.bytes.find('\\') != std::string::npos; ++depth) {
      view = decode(view, read_json);
      search(view, values, found);
      search_percent(view, values, found);
    }
    widen_to_escapes(once, found);
  }
  spans.insert(spans.end(), found.begin(), found.end());
}

}  // namespace fairlead::redact
