#include <algorithm>
#include <limits>

#include "protocol/uri_template_match.hpp"
#include "protocol/uri_template_operation.hpp"

namespace fairlead::protocol {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

bool explodes(const detail::TemplatePart& part) {
  return std::ranges::any_of(part.items, &detail::TemplateItem::explode);
}

/// True if an escape is a continuation byte of UTF-8 (10xxxxxx).
bool continues_character(std::string_view uri, std::size_t at) {
  constexpr std::string_view high = "89AB";
  return uri[at] == '%' && high.find(uri[at + 1]) != std::string_view::npos;
}

/// How many separators an expression may contain, if that is limited.
std::size_t separators_allowed(const detail::TemplatePart& part, char separator) {
  const bool limited = separator == '/' || part.stops.contains(separator);
  return limited && !explodes(part) ? part.items.size() - 1 : unlimited;
}

/// The end of an expression without names, after its first character.
std::size_t text_end(const detail::TemplatePart& part, std::string_view uri, std::size_t at) {
  const TemplateOperation& operation = template_operation(part.operation);
  const std::string_view outside = operation.reserved ? "" : "/?#&";
  std::size_t separators = separators_allowed(part, operation.separator);
  std::size_t characters = part.items.size() == 1 && part.items[0].prefix != 0 ? part.items[0].prefix : unlimited;
  while (at < uri.size()) {
    const char c = uri[at];
    if (c == operation.separator) {
      if (separators-- == 0) break;
    } else if (outside.find(c) != std::string_view::npos || part.stops.contains(c)) {
      break;
    }
    if (!continues_character(uri, at) && characters-- == 0) break;
    at += c == '%' ? 3 : 1;
  }
  return at;
}

/// The end of the known pairs of an expression, after its first character; `at` if the first pair is unknown.
class PairRun {
 public:
  PairRun(const detail::TemplatePart& part, std::string_view uri)
      : part_(part), uri_(uri), seen_(part.items.size()), open_(explodes(part)) {}

  std::size_t end_from(std::size_t at) {
    const char separator = template_operation(part_.operation).separator;
    const std::string_view outside = part_.operation == ';' ? ";/?#&" : "&#";
    std::size_t accepted = at;
    while (true) {
      const std::size_t end = std::min(uri_.size(), uri_.find_first_of(outside, at));
      if (!accept(uri_.substr(at, end - at))) return accepted;
      accepted = end;
      if (end == uri_.size() || uri_[end] != separator) return accepted;
      at = end + 1;
    }
  }

 private:
  bool accept(std::string_view pair) {
    const std::string_view name = pair.substr(0, pair.find('='));
    const auto known = part_.names.find(name);
    if (known == part_.names.end()) return open_ && !name.empty();
    const bool again = seen_[known->second];
    seen_[known->second] = true;
    return !again || part_.items[known->second].explode;
  }

  const detail::TemplatePart& part_;
  std::string_view uri_;
  std::vector<bool> seen_;
  bool open_;
};

}  // namespace

std::size_t latest_end(const detail::TemplatePart& part, std::string_view uri, std::size_t begin) {
  const TemplateOperation& operation = template_operation(part.operation);
  if (operation.first == '\0') return text_end(part, uri, begin);
  if (begin == uri.size() || uri[begin] != operation.first) return begin;
  if (!operation.named) return text_end(part, uri, begin + 1);
  const std::size_t end = PairRun(part, uri).end_from(begin + 1);
  return end == begin + 1 ? begin : end;
}

}  // namespace fairlead::protocol
