#include <fairlead/protocol/uri_template.hpp>

#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "protocol/uri_characters.hpp"
#include "protocol/uri_template_operation.hpp"

namespace fairlead::protocol {

/// Builds a UriTemplate from the events of TemplateParser.
struct TemplateBuilder {
  UriTemplate result = {};
  std::set<std::string_view> names = {};

  void literal(std::string_view text) {
    // The grammar allows only these and non-ASCII characters.
    result.parts_.push_back({.literal = normalized_uri(text).value_or(std::string(text))});
  }

  void expression(char operation) { result.parts_.push_back({.operation = operation}); }

  void variable(const TemplateVariable& found) {
    detail::TemplatePart& part = result.parts_.back();
    const std::string name(found.name);
    if (template_operation(part.operation).named) {
      part.names.emplace(normalized_uri(name).value_or(name), part.items.size());
    }
    part.items.push_back({.name = name, .prefix = found.prefix, .explode = found.explode});
    if (names.insert(found.name).second) result.variables_.push_back(name);
  }

  /// From right to left, so that each part sees the first characters of the parts directly after it.
  void find_stops() {
    std::string stops;
    for (auto part = result.parts_.rbegin(); part != result.parts_.rend(); ++part) {
      if (part->items.empty()) {
        stops.clear();
        continue;
      }
      const char first = template_operation(part->operation).first;
      part->stops = stops;
      if (std::ranges::any_of(part->items, &detail::TemplateItem::explode)) std::erase(part->stops, first);
      if (first == '\0') {
        stops.clear();
      } else if (!stops.contains(first)) {
        stops += first;
      }
    }
  }

  static Result<UriTemplate> build(std::string_view text) {
    TemplateBuilder builder;
    const TemplateError fault = detail::TemplateParser(text, builder).run();
    if (fault.reason != nullptr) {
      return fail(ErrorKind::invalid, fmt::format("URI template, byte {}: {}", fault.position, fault.reason));
    }
    builder.find_stops();
    builder.result.text_ = text;
    return std::move(builder.result);
  }
};

Result<UriTemplate> UriTemplate::parse(std::string_view text) {
  return TemplateBuilder::build(text);
}

bool is_safe_relative_path(std::string_view value) {
  // A colon denotes a drive or a stream on Windows.
  constexpr std::string_view never{"\\:\0", 3};
  if (value.starts_with('/') || value.find_first_of(never) != std::string_view::npos) return false;
  while (!value.empty()) {
    const std::string_view segment = value.substr(0, value.find('/'));
    if (segment == "..") return false;
    value.remove_prefix(std::min(value.size(), segment.size() + 1));
  }
  return true;
}

}  // namespace fairlead::protocol
