#pragma once

#include <fairlead/protocol/uri_template.hpp>
#include <unordered_set>

namespace fairlead::protocol {

/// The part of a URI that one expression matches.
struct TemplateSpan {
  std::size_t part = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The end of the longest match of `part` at `begin` of a normalized URI; `begin` for none. Shorter texts match too.
std::size_t latest_end(const detail::TemplatePart& part, std::string_view uri, std::size_t begin);

/// Extracts the values from the matched spans; nothing if they contradict each other or are not UTF-8.
std::optional<TemplateMatch> read_values(std::span<const detail::TemplatePart> parts, std::string_view uri,
                                         std::span<const TemplateSpan> spans);

/// Backtracking search for the span of each expression, longest first.
///
/// Never tries a failed (part, position) again and counts all steps: for a hostile template or URI it gives up with "no
/// match" after work in proportion to the URI.
class TemplateSearch {
 public:
  TemplateSearch(std::span<const detail::TemplatePart> parts, std::string_view uri) : parts_(parts), uri_(uri) {}

  bool run();
  std::span<const TemplateSpan> spans() const { return spans_; }

 private:
  bool advance();
  bool open_expression();
  bool back_up();
  bool spend(std::size_t steps);
  std::uint64_t key(const TemplateSpan& span) const { return span.part * (uri_.size() + 1ULL) + span.begin; }

  std::span<const detail::TemplatePart> parts_;
  std::string_view uri_;
  std::size_t budget_ = 200'000 + 8 * uri_.size();
  std::size_t part_ = 0;
  std::size_t at_ = 0;
  std::vector<TemplateSpan> spans_ = {};
  std::unordered_set<std::uint64_t> dead_ends_ = {};
};

}  // namespace fairlead::protocol
