#include <algorithm>
#include <fairlead/base/utf8.hpp>

#include "protocol/uri_characters.hpp"
#include "protocol/uri_template_match.hpp"
#include "protocol/uri_template_operation.hpp"

namespace fairlead::protocol {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

/// Joins adjacent pieces into one view.
std::string_view joined(std::span<const std::string_view> pieces) {
  return {pieces.front().data(), pieces.back().data() + pieces.back().size()};
}

class ValueReader {
 public:
  bool read(const detail::TemplatePart& part, std::string_view text) {
    if (text.empty()) return true;
    const TemplateOperation& operation = template_operation(part.operation);
    if (operation.first != '\0') text.remove_prefix(1);
    return operation.named ? read_pairs(part, text) : read_list(part, text);
  }

  TemplateMatch take() { return std::move(values_); }

 private:
  /// One piece per variable; the exploded one, or else the last, takes the remaining pieces.
  bool read_list(const detail::TemplatePart& part, std::string_view text) {
    const TemplateOperation& operation = template_operation(part.operation);
    const auto& items = part.items;
    if (items.size() == 1) return store(items[0], unescaped(text, operation.reserved || items[0].explode));
    const auto pieces = split(text, operation.separator);
    const std::size_t surplus = pieces.size() > items.size() ? pieces.size() - items.size() : 0;
    const auto exploding = std::ranges::find_if(items, &detail::TemplateItem::explode);
    const auto greedy = exploding == items.end() ? items.end() - 1 : exploding;
    std::size_t next = 0;
    for (auto item = items.begin(); item != items.end() && next < pieces.size(); ++item) {
      const std::size_t count = item == greedy ? 1 + surplus : 1;
      const auto own = joined(std::span(pieces).subspan(next, count));
      if (!store(*item, unescaped(own, operation.reserved || item->explode))) return false;
      next += count;
    }
    return true;
  }

  bool read_pairs(const detail::TemplatePart& part, std::string_view text) {
    const auto collector = std::ranges::find_if(part.items, &detail::TemplateItem::explode);
    std::map<const detail::TemplateItem*, std::string> collected;
    for (const std::string_view pair : split(text, template_operation(part.operation).separator)) {
      const std::size_t sign = pair.find('=');
      const std::string_view value = sign == std::string_view::npos ? "" : pair.substr(sign + 1);
      const auto known = part.names.find(pair.substr(0, sign));
      if (known == part.names.end() && collector == part.items.end()) return false;
      const detail::TemplateItem& item = known == part.names.end() ? *collector : part.items[known->second];
      if (!item.explode) {
        if (!store(item, unescaped(value, false))) return false;
        continue;
      }
      const auto [list, first] = collected.try_emplace(&item);
      if (!first) list->second += ',';
      list->second += unescaped(known == part.names.end() ? pair : value, true);
    }
    return std::ranges::all_of(collected, [&](auto& list) { return store(*list.first, std::move(list.second)); });
  }

  /// A repeated variable must have the same value each time, as far as its prefixes show.
  bool store(const detail::TemplateItem& item, std::string value) {
    if (!is_utf8(value)) return false;
    if (item.prefix != 0 && first_characters(value, item.prefix) != value) return false;
    const auto [known, first] = values_.try_emplace(item.name, value);
    std::size_t& known_prefix = prefixes_.try_emplace(item.name, item.prefix).first->second;
    if (first) return true;
    if (reach(item.prefix) <= reach(known_prefix)) return first_characters(known->second, reach(item.prefix)) == value;
    if (first_characters(value, known_prefix) != known->second) return false;
    known->second = std::move(value);
    known_prefix = item.prefix;
    return true;
  }

  static std::size_t reach(std::size_t prefix) { return prefix == 0 ? std::string_view::npos : prefix; }

  TemplateMatch values_;
  std::map<std::string_view, std::size_t> prefixes_;
};

}  // namespace

std::optional<TemplateMatch> read_values(std::span<const detail::TemplatePart> parts, std::string_view uri,
                                         std::span<const TemplateSpan> spans) {
  ValueReader reader;
  for (const TemplateSpan& span : spans) {
    if (!reader.read(parts[span.part], uri.substr(span.begin, span.end - span.begin))) return std::nullopt;
  }
  return reader.take();
}

}  // namespace fairlead::protocol
