#include "gateway/control/tap_filter.hpp"

#include <algorithm>
#include <fairlead/json/reflect.hpp>
#include <fmt/format.h>

#include "base/closest_match.hpp"
#include "gateway/config/retired_keys.hpp"
#include "gateway/middleware/glob.hpp"

namespace fairlead::gateway {
namespace {

/// A field to filter by. Returns nothing if a line has no value, which no pattern matches.
struct TapField {
  std::string_view name;
  std::optional<std::string> (*of)(const TapLine& line);
};

template <class E>
std::string enum_text(E value) {
  return std::string(json::enum_name(value));
}

constexpr auto tap_fields = std::to_array<TapField>({
    {"tool", [](const TapLine& line) { return line.tool; }},
    {"prompt", [](const TapLine& line) { return line.prompt; }},
    {"resource", [](const TapLine& line) { return line.resource; }},
    {"method", [](const TapLine& line) { return line.method; }},
    {"server", [](const TapLine& line) { return line.server; }},
    {"status", [](const TapLine& line) { return line.status; }},
    {"caller", [](const TapLine& line) { return line.caller; }},
    {"client", [](const TapLine& line) { return line.client; }},
    {"endpoint", [](const TapLine& line) { return std::optional(line.endpoint); }},
    {"session", [](const TapLine& line) { return std::optional(std::to_string(line.session)); }},
    {"id", [](const TapLine& line) { return line.id ? std::optional(line.id->to_json()) : std::nullopt; }},
    {"from", [](const TapLine& line) { return std::optional(enum_text(line.from)); }},
    {"kind", [](const TapLine& line) { return std::optional(enum_text(line.kind)); }},
});

constexpr std::string_view status_key = "status";
constexpr auto statuses =
    std::to_array<std::string_view>({"ok", "error", "tool_error", "closed", "timeout", "cancelled", "malformed"});

std::unexpected<Error> wrong_filter(std::string_view word, std::string_view why) {
  return fail(ErrorKind::invalid, fmt::format("'{}' {}", word, why));
}

std::vector<std::string> tap_field_names() {
  std::vector<std::string> names;
  for (const auto& field : tap_fields) names.emplace_back(field.name);
  return names;
}

}  // namespace

Result<TapFilter> TapFilter::read(const std::vector<std::string>& words) {
  TapFilter filter;
  for (const auto& word : words) {
    auto term = read_term(word);
    if (!term) return std::unexpected(std::move(term.error()));
    if (tap_fields[term->field].name == "kind") filter.names_kind_ = true;
    filter.terms_.push_back(std::move(*term));
  }
  return filter;
}

Result<TapFilter::Term> TapFilter::read_term(std::string_view word) {
  Term term{.negated = word.starts_with('-')};
  const auto body = word.substr(term.negated ? 1 : 0);
  const auto colon = body.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == body.size()) {
    return wrong_filter(word, "is not a filter; write it like tool:search or -method:notifications/*");
  }
  const auto name = body.substr(0, colon);
  const auto found = std::ranges::find(tap_fields, name, &TapField::name);
  if (found == tap_fields.end()) {
    if (const auto now = renamed_key("tap", name)) return wrong_filter(word, fmt::format("was renamed to {}:", *now));
    const auto names = tap_field_names();
    const auto near = closest_match(name, names);
    return wrong_filter(word, near ? fmt::format("has an unknown field; did you mean '{}:'?", *near)
                                   : fmt::format("has an unknown field; fields are {}", fmt::join(names, ", ")));
  }
  term.field = static_cast<std::size_t>(found - tap_fields.begin());
  term.pattern = std::string(body.substr(colon + 1));
  const auto fits = [&](std::string_view status) { return glob_matches(term.pattern, status); };
  if (name == status_key && std::ranges::none_of(statuses, fits)) {
    return wrong_filter(word, fmt::format("matches no status; statuses are {}", fmt::join(statuses, ", ")));
  }
  return term;
}

bool TapFilter::Term::is_about_end() const {
  return tap_fields[field].name == status_key;
}

bool TapFilter::Term::holds(const TapLine& line) const {
  const auto value = tap_fields[field].of(line);
  // `status:error` matches every failure.
  const bool any_error = is_about_end() && pattern == "error";
  const bool matched = value && (any_error ? *value != "ok" : glob_matches(pattern, *value));
  return matched != negated;
}

bool TapFilter::wants_kind_of(const TapLine& line) const {
  return names_kind_ || (line.kind != LineKind::open && line.kind != LineKind::close);
}

bool TapFilter::matches(const TapLine& line) const {
  return wants_kind_of(line) && std::ranges::all_of(terms_, [&](const Term& term) { return term.holds(line); });
}

bool TapFilter::waits_for_end() const {
  return std::ranges::any_of(terms_, &Term::is_about_end);
}

bool TapFilter::may_match(const TapLine& call) const {
  return std::ranges::all_of(terms_, [&](const Term& term) { return term.is_about_end() || term.holds(call); });
}

}  // namespace fairlead::gateway
