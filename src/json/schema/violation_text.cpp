#include "json/schema/violation_text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/closest_match.hpp"
#include "json/schema/program.hpp"

namespace fairlead::json::schema {

namespace {

constexpr std::size_t max_shown = 80;
constexpr std::size_t max_names_listed = 12;

/// Names longer than this are not searched for typing errors.
constexpr std::size_t max_compared = 40;

using TypeName = std::pair<std::uint8_t, std::string_view>;
constexpr std::array type_phrases{
    TypeName{type_bit::object, "an object"},   TypeName{type_bit::array, "an array"},
    TypeName{type_bit::string, "a string"},    TypeName{type_bit::number, "a number"},
    TypeName{type_bit::integer, "an integer"}, TypeName{type_bit::boolean, "a boolean"},
    TypeName{type_bit::null, "null"},
};

std::string truncated(std::string_view text, bool more = false) {
  if (text.size() <= max_shown && !more) return std::string(text);
  auto end = std::min(text.size(), max_shown);
  // Do not split a UTF-8 character.
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

bool is_identifier(std::string_view name) {
  const auto fits = [](char c) { return ascii::is_alphanumeric(c) || c == '_' || c == '-' || c == '$'; };
  return !name.empty() && name.size() <= max_shown && std::ranges::all_of(name, fits);
}

std::string_view closest(std::string_view unknown, const std::vector<std::string_view>& known) {
  std::string_view best;
  auto best_distance = unknown.size() < 4 ? 2 : unknown.size() / 3 + 2;
  for (const auto name : known) {
    if (unknown.size() > max_compared || name.size() > max_compared) continue;
    const auto distance = edit_distance(unknown, name);
    if (distance < best_distance) std::tie(best, best_distance) = std::pair(name, distance);
  }
  return best;
}

}  // namespace

std::string path_of(const InstancePath& path) {
  std::vector<const InstancePath*> steps;
  for (const auto* at = &path; at->parent != nullptr; at = at->parent) steps.push_back(at);
  std::string text;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if ((*step)->index != InstancePath::by_name) {
      text += fmt::format("[{}]", (*step)->index);
    } else if (is_identifier((*step)->name)) {
      text.append(text.empty() ? "" : ".").append((*step)->name);
    } else {
      text += fmt::format("[{}]", quoted_text((*step)->name));
    }
  }
  return text;
}

std::string_view type_name(const boost::json::value& value) {
  const auto types = types_of(value);
  const auto found = std::ranges::find_if(type_phrases, [&](const auto& entry) { return (entry.first & types) != 0; });
  return found->second;
}

std::string type_names(std::uint8_t types) {
  std::vector<std::string> names;
  for (const auto& [bit, name] : type_phrases) {
    if ((types & bit) != 0) names.emplace_back(name);
  }
  return names.empty() ? "nothing" : joined(names, " or ");
}

std::uint8_t type_named(std::string_view name) {
  if (name == "null") return type_bit::null;
  for (const auto& [bit, phrase] : type_phrases) {
    if (phrase.substr(phrase.find(' ') + 1) == name) return bit;
  }
  return 0;
}

std::uint8_t types_of(const boost::json::value& value) {
  switch (value.kind()) {
    case boost::json::kind::null: return type_bit::null;
    case boost::json::kind::bool_: return type_bit::boolean;
    case boost::json::kind::object: return type_bit::object;
    case boost::json::kind::array: return type_bit::array;
    case boost::json::kind::string: return type_bit::string;
    default: return is_integer(value) ? std::uint8_t{type_bit::integer | type_bit::number} : type_bit::number;
  }
}

std::string json_excerpt(const boost::json::value& value) {
  // Reads no more than is shown: the value may be huge.
  boost::json::serializer serializer;
  serializer.reset(&value);
  std::array<char, max_shown + 8> buffer{};
  const auto text = serializer.read(buffer.data(), buffer.size());
  return truncated({text.data(), text.size()}, !serializer.done());
}

std::string json_excerpt(const Number& number) {
  return std::visit([](auto plain) { return fmt::format("{}", plain); }, simplest(number));
}

std::string quoted_text(std::string_view text) {
  return json_excerpt(boost::json::value(boost::json::string_view(text.data(), text.size())));
}

std::string suggestion(std::string_view unknown, const std::vector<std::string_view>& known) {
  if (known.empty()) return {};
  const auto best = closest(unknown, known);
  const auto hint = best.empty() ? std::string() : fmt::format("; did you mean {}?", quoted_text(best));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(known.size(), max_names_listed); ++i) names.push_back(quoted_text(known[i]));
  if (known.size() > max_names_listed) names.push_back(fmt::format("{} more", known.size() - max_names_listed));
  return fmt::format("{}{} known properties: {}", hint, hint.empty() ? ";" : "", joined(names, " and "));
}

std::string joined(const std::vector<std::string>& parts, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += i + 1 == parts.size() ? last_separator : std::string_view(", ");
    text += parts[i];
  }
  return text;
}

}  // namespace fairlead::json::schema
