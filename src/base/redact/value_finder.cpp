#include "base/redact/value_finder.hpp"

#include <algorithm>
#include <string.h>

namespace fairlead::redact {

void DecodedText::add(char byte, SourceRange origin) {
  bytes += byte;
  origins.push_back(origin);
}

void DecodedText::append(const DecodedText& other, std::size_t from, std::size_t to) {
  bytes.append(other.bytes, from, to - from);
  origins.insert(origins.end(), other.origins.begin() + static_cast<std::ptrdiff_t>(from),
                 other.origins.begin() + static_cast<std::ptrdiff_t>(to));
}

void DecodedText::drop_front(std::size_t count) {
  bytes.erase(0, count);
  origins.erase(origins.begin(), origins.begin() + static_cast<std::ptrdiff_t>(count));
}

/// Decodes one kind of escape. An incomplete escape at the end of a part is kept for the next part.
struct ValueFinder::EscapeDecoder {
  static constexpr std::size_t longest_escape = 12;  // Two of \uXXXX.

  ReadEscape read;
  char mark;
  ValueFinder behind;
  DecodedText waiting = {};
  DecodedText out = {};  // Decoded part; a member to reuse its memory.

  void feed(const DecodedText& part, bool last) {
    waiting.append(part, 0, part.size());
    out.bytes.clear();
    out.origins.clear();
    std::string escape;
    std::size_t at = 0;
    while (true) {
      const auto next = std::min(waiting.bytes.find(mark, at), waiting.size());
      out.append(waiting, at, next);
      at = next;
      if (at == waiting.size() || (!last && at + longest_escape > waiting.size())) break;
      escape.clear();
      const auto size = read(waiting.bytes, at, escape);
      for (const char byte : escape) out.add(byte, {waiting.origins[at].begin, waiting.origins[at + size - 1].end});
      at += size;
    }
    waiting.drop_front(at);
    behind.feed(out, last);
  }
};

ValueFinder::ValueFinder(const ValueSearch& search, int json, bool percent)
    : search_(search), json_(json), percent_(percent) {}

ValueFinder::~ValueFinder() = default;

void ValueFinder::feed(const DecodedText& part, bool last) {
  pass_on(part, last);
  find(part);
}

// Without such an escape the decoded text equals the input so far, so the tail is the same.
std::unique_ptr<ValueFinder::EscapeDecoder> ValueFinder::start(ReadEscape read, char mark, int json,
                                                               bool percent) const {
  auto made = std::unique_ptr<EscapeDecoder>(new EscapeDecoder{read, mark, {search_, json, percent}});
  made->behind.tail_ = tail_;
  return made;
}

void ValueFinder::pass_on(const DecodedText& part, bool last) {
  if (percent_ && !percent_decoder_ && part.bytes.contains('%')) {
    percent_decoder_ = start(read_percent_escape, '%', 0, false);
  }
  if (json_ > 0 && !json_decoder_ && part.bytes.contains('\\')) {
    json_decoder_ = start(read_json_escape, '\\', json_ - 1, true);
  }
  if (percent_decoder_) percent_decoder_->feed(part, last);
  if (json_decoder_) json_decoder_->feed(part, last);
}

void ValueFinder::find(const DecodedText& part) {
  tail_.append(part, 0, part.size());
  const auto& bytes = tail_.bytes;
  for (const auto& value : search_.values) {
    for (std::size_t at = 0; at < bytes.size();) {
      // memmem stays linear on adversarial text.
      const void* hit = ::memmem(bytes.data() + at, bytes.size() - at, value.data(), value.size());
      if (hit == nullptr) break;
      at = static_cast<std::size_t>(static_cast<const char*>(hit) - bytes.data());
      const auto begin = tail_.origins[at].begin;
      at += value.size();
      const auto end = tail_.origins[at - 1].end;
      // A value without an escape also occurs in the text itself, where it is found anyway.
      if (end - begin != value.size()) search_.found.push_back({.begin = begin, .end = end});
    }
  }
  const auto kept = search_.longest - 1;
  if (tail_.size() > kept) tail_.drop_front(tail_.size() - kept);
}

}  // namespace fairlead::redact
