#include "gateway/config/stage.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "gateway/config/ends.hpp"
#include "gateway/config/words.hpp"

namespace fairlead::gateway {
namespace {

bool is_step_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::ranges::all_of(text, fits) && !(text.front() >= '0' && text.front() <= '9');
}

// Files are seen from the configuration's own folder.
bool is_file(std::string_view step, std::string_view argument) {
  return (step == "lua" && (argument.empty() || argument == "file")) || (step == "auth" && argument == "keys_file");
}

/// Reads one step, and knows at which byte of it something is wrong.
class Step {
 public:
  Step(Reading& reading, const Place& place) : reading_(reading), place_(place) {}

  std::optional<MiddlewareConfig> read() {
    const std::string_view text = place_.node.text;
    const auto open = find_outside(text, '(');
    const auto end = text.substr(0, open).find_last_not_of(' ');
    MiddlewareConfig step{.name = std::string(text.substr(0, end + 1)), .at = reading_.origin(place_)};
    if (!is_step_name(step.name)) {
      return wrong(0, fmt::format("{} is no step of a chain; write it like timeout(30s)", value_in_quotes(text)));
    }
    if (open == std::string_view::npos) return noted(std::move(step));
    if (!text.ends_with(')')) return wrong(open, "the ( has no ) at the end of the step");
    const auto inside = text.substr(open + 1, text.size() - open - 2);
    const auto pieces = split(inside, ',');
    if (!pieces) return wrong(open + 1 + pieces.error().at, pieces.error().message);
    if (pieces->size() == 1 && pieces->front().text.empty()) return noted(std::move(step));
    for (const auto& piece : *pieces) {
      if (!argument(piece, open + 1, step)) return std::nullopt;
    }
    return noted(std::move(step));
  }

  /// An argument that needs no further cutting.
  bool add(std::string_view name, const Place& value, MiddlewareConfig& step) {
    auto text = reading_.text(value);
    if (!text) return false;
    remember(*text);
    step.arguments.emplace_back(name, std::move(text->text));
    return true;
  }

  MiddlewareConfig noted(MiddlewareConfig step) {
    for (auto& [name, value] : step.arguments) {
      if (is_file(step.name, name)) value = reading_.beside(value);
    }
    reading_.took(place_, std::move(variables_));
    return step;
  }

 private:
  bool argument(const Piece& piece, std::size_t offset, MiddlewareConfig& step) {
    std::string_view text = piece.text;
    const auto equals = find_outside(text, '=');
    const bool named = equals != std::string_view::npos && is_step_name(trimmed(text.substr(0, equals)));
    const std::string name(named ? trimmed(text.substr(0, equals)) : "");
    if (named) text = trimmed(text.substr(equals + 1));
    if (text.empty()) {
      wrong(offset + piece.at, "an argument is missing here");
      return false;
    }
    const auto plain = unquote(text);
    auto filled = plain ? reading_.text(place_, *plain) : std::nullopt;
    if (!plain) wrong(offset + piece.at, plain.error().message);
    if (!filled) return false;
    remember(*filled);
    step.arguments.emplace_back(name, std::move(filled->text));
    return true;
  }

  static std::string_view trimmed(std::string_view text) {
    const auto begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
  }

  void remember(const Expanded& text) {
    variables_.insert(variables_.end(), text.variables.begin(), text.variables.end());
  }

  std::nullopt_t wrong(std::size_t offset, std::string_view message) {
    Node spot;
    spot.line = place_.node.line;
    spot.column = place_.node.column + offset;
    reading_.wrong({spot, place_.path, place_.slot}, message);
    return std::nullopt;
  }

  Reading& reading_;
  const Place& place_;
  std::vector<std::string> variables_;
};

// One argument, or a list of several under one name.
bool add_member(Step& reader, const Place& value, std::string_view name, MiddlewareConfig& step) {
  if (value.node.kind != Node::Kind::list) return reader.add(name, value, step);
  for (std::size_t index = 0; index < value.node.children.size(); ++index) {
    if (!reader.add(name, value.item(index), step)) return false;
  }
  return true;
}

// `timeout: 30s`, `timeout: {idle: 30s}`, `allow: [a, b]` or `allow: {tool: [a, b]}`.
std::optional<MiddlewareConfig> read_map(Reading& reading, const Place& place) {
  if (place.node.children.size() != 1) {
    reading.wrong(place, "names several steps at once; put a - in front of each");
    return std::nullopt;
  }
  const auto& only = place.node.children.front();
  Step reader(reading, place);
  MiddlewareConfig step{.name = only.key, .at = reading.origin(place)};
  const Place value{only, below(place.path, only.key), place.slot};
  if (only.kind == Node::Kind::scalar && !reader.add("", value, step)) return std::nullopt;
  for (std::size_t index = 0; index < only.children.size(); ++index) {
    const auto& child = only.children[index];
    const auto member = child.key.empty() ? value.item(index) : value.member(child);
    if (!add_member(reader, member, child.key, step)) return std::nullopt;
  }
  return reader.noted(std::move(step));
}

std::optional<MiddlewareConfig> read_step(Reading& reading, const Place& place) {
  if (place.node.kind == Node::Kind::map) return read_map(reading, place);
  if (place.node.kind == Node::Kind::scalar) return Step(reading, place).read();
  reading.wrong(place, fmt::format("is {}, where a step like timeout(30s) belongs", article(place.node.kind)));
  return std::nullopt;
}

void add_step(Reading& reading, const Place& place, ChainConfig& into) {
  if (auto step = read_step(reading, place)) into.push_back(*std::move(step));
}

bool is_scalar(const Place& place, bool (*wanted)(std::string_view)) {
  return place.node.kind == Node::Kind::scalar && wanted(place.node.text);
}

void add_server(Reading& reading, const Place& place, GatewayConfig& into) {
  const std::string name(chain_server);
  const Place slot{place.node, place.path, below("servers", name)};
  reading.forget(slot.slot);
  auto* known = into.find(name);
  if (!known) known = &into.servers.emplace_back();
  *known = {.name = name, .at = reading.origin(place)};
  reading.took(slot);
  read_upstream(reading, slot, *known);
}

}  // namespace

void read_chain(Reading& reading, const Place& place, ChainConfig& into) {
  into.clear();
  reading.forget(place.slot);
  reading.took(place);
  if (place.node.kind == Node::Kind::scalar)
    return add_step(reading, {place.node, place.path, place.slot + "[0]"}, into);
  if (!reading.is(place, Node::Kind::list)) return;
  for (std::size_t index = 0; index < place.node.children.size(); ++index) {
    add_step(reading, place.item(index), into);
  }
}

void read_whole_chain(Reading& reading, const std::vector<Place>& steps, GatewayConfig& into) {
  into.chain.clear();
  reading.forget("chain");
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const auto& step = steps[index];
    if (index == 0 && is_scalar(step, is_front)) {
      read_front(reading, {step.node, step.path, "listen"}, into.listen);
    } else if (index + 1 == steps.size() && is_scalar(step, is_upstream)) {
      add_server(reading, step, into);
    } else {
      const Place place{step.node, step.path, fmt::format("chain[{}]", into.chain.size())};
      add_step(reading, place, into.chain);
    }
  }
}

}  // namespace fairlead::gateway
