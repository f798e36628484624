#include "gateway/config/reading.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "base/nearest.hpp"

namespace fairlead::gateway {

Place Place::item(std::size_t index) const {
  return {node.children[index], fmt::format("{}[{}]", path, index), fmt::format("{}[{}]", slot, index)};
}

Source Reading::source(const Place& place) const {
  if (file_.empty()) return {.column = place.node.column, .path = place.path};
  return {.file = file_, .line = place.node.line, .path = place.path};
}

Origin Reading::origin(const Place& place) const {
  return {fmt::format("{}: {}", source(place).place(), place.path)};
}

void Reading::unknown(const Place& place, std::span<const std::string> known) {
  if (const auto meant = nearest(place.node.key, known)) {
    wrong(place, fmt::format("is not known; did you mean {}?", *meant));
  } else {
    wrong(place, fmt::format("is not known; there are {}", fmt::join(known, ", ")));
  }
}

void Reading::took(const Place& place, std::vector<std::string> variables) {
  auto from = source(place);
  from.variables = std::move(variables);
  sources_.set(place.slot, std::move(from));
}

std::optional<Expanded> Reading::text(const Place& place) {
  if (place.node.kind == Node::Kind::scalar) return text(place, place.node.text);
  if (place.node.kind == Node::Kind::null) {
    wrong(place, "is empty; give it a value, or leave it out");
  } else {
    wrong(place, fmt::format("is {}, where a single value belongs", article(place.node.kind)));
  }
  return std::nullopt;
}

std::optional<Expanded> Reading::text(const Place& place, std::string_view raw) {
  auto expanded = expand(raw, options_.environment);
  if (expanded) return *std::move(expanded);
  wrong(place, expanded.error().message);
  return std::nullopt;
}

bool Reading::is(const Place& place, Node::Kind wanted) {
  if (place.node.kind == wanted || place.node.kind == Node::Kind::null) return true;
  wrong(place, fmt::format("is {}, where {} belongs", article(place.node.kind), article(wanted)));
  return false;
}

std::string Reading::beside(const std::string& path) const {
  if (path.empty() || path.front() == '/' || file_.empty()) return path;
  return (std::filesystem::path(file_).parent_path() / path).lexically_normal().string();
}

}  // namespace fairlead::gateway
