#include "protocol/uri_template_match.hpp"

#include <algorithm>

#include "protocol/uri_characters.hpp"
#include "protocol/uri_template_operation.hpp"

namespace fairlead::protocol {
namespace {

/// `{x}` and `{+x}` match at least one character; the others may match nothing.
bool may_be_empty(const detail::TemplatePart& part) {
  return template_operation(part.operation).first != '\0';
}

/// Removes one character from the end; an escape is one character.
std::size_t shorter(std::string_view uri, std::size_t end) {
  return end >= 3 && uri[end - 3] == '%' ? end - 3 : end - 1;
}

}  // namespace

bool TemplateSearch::spend(std::size_t steps) {
  budget_ -= std::min(budget_, steps);
  return budget_ > 0;
}

bool TemplateSearch::run() {
  while (true) {
    while (part_ < parts_.size() && advance()) {
    }
    if (part_ == parts_.size() && at_ == uri_.size()) return true;
    if (!back_up()) return false;
  }
}

/// Advances by one part; false if it does not match here.
bool TemplateSearch::advance() {
  const detail::TemplatePart& part = parts_[part_];
  if (!part.items.empty()) return open_expression();
  // About eight compared bytes are one step.
  const bool same = uri_.substr(at_).starts_with(part.literal) && spend(1 + part.literal.size() / 8);
  if (!same) return false;
  at_ += part.literal.size();
  ++part_;
  return true;
}

bool TemplateSearch::open_expression() {
  const detail::TemplatePart& part = parts_[part_];
  TemplateSpan span{.part = part_, .begin = at_};
  if (dead_ends_.contains(key(span))) return false;
  span.end = latest_end(part, uri_, at_);
  if (!spend(1 + span.end - span.begin + part.items.size() / 8)) return false;
  if (span.end == span.begin && !may_be_empty(part)) return false;
  spans_.push_back(span);
  at_ = span.end;
  ++part_;
  return true;
}

/// Shortens the last expression that can be shortened.
bool TemplateSearch::back_up() {
  for (; !spans_.empty(); spans_.pop_back()) {
    TemplateSpan& last = spans_.back();
    const std::size_t end = last.end == last.begin ? last.begin : shorter(uri_, last.end);
    if (end < last.end && (end > last.begin || may_be_empty(parts_[last.part]))) {
      if (!spend(1)) return false;
      last.end = end;
      at_ = end;
      part_ = last.part + 1;
      return true;
    }
    // Expensive, because an entry takes about 40 bytes.
    if (!spend(16)) return false;
    dead_ends_.insert(key(last));
  }
  return false;
}

std::optional<TemplateMatch> UriTemplate::match(std::string_view uri) const {
  const auto normalized = normalized_uri(uri);
  if (!normalized) return std::nullopt;
  TemplateSearch search(parts_, *normalized);
  if (!search.run()) return std::nullopt;
  return read_values(parts_, *normalized, search.spans());
}

}  // namespace fairlead::protocol
