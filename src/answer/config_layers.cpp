#include "answer/config_layers.hpp"

#include <boost/json.hpp>
#include <fairlead/json/payload.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/closest_match.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;

bj::value from_scalar(const YAML::Node& node) {
  const auto& text = node.Scalar();
  const bool quoted = node.Tag() == "!";
  if (quoted) return bj::string(text);
  if (text == "true" || text == "false") return text == "true";
  // A number only if it is valid JSON; a name such as 4o stays a string.
  const bool numeric = !text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
  const auto number = numeric ? json::Payload::parse(text) : fail(ErrorKind::invalid, "");
  if (number) return number->value();
  return bj::string(text);
}

bj::value from_yaml(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Scalar: return from_scalar(node);
    case YAML::NodeType::Sequence: {
      bj::array list;
      for (const auto& item : node) list.push_back(from_yaml(item));
      return list;
    }
    case YAML::NodeType::Map: {
      bj::object map;
      for (const auto& member : node) map[member.first.Scalar()] = from_yaml(member.second);
      return map;
    }
    default: return nullptr;
  }
}

// Null keeps a section unchanged, but removes a profile.
void overlay(bj::value& below, const bj::value& above, bool null_removes) {
  if (above.is_null() && below.is_object() && !null_removes) return;
  if (!below.is_object() || !above.is_object()) {
    below = above;
    return;
  }
  auto& into = below.get_object();
  for (const auto& member : above.get_object()) {
    const bool profile = member.key() == "answer" || member.key().starts_with("answer_");
    overlay(into[member.key()], member.value(), profile);
  }
}

std::string advice(std::string_view name, const bj::object& known) {
  std::vector<std::string> names;
  for (const auto& member : known) names.emplace_back(member.key());
  const auto near = closest_match(name, names);
  return near ? fmt::format("; did you mean {}?", *near) : "";
}

void collect_unknown(const bj::object& layer, const bj::object& known, const std::string& path,
                     std::vector<std::string>& found) {
  for (const auto& member : layer) {
    const std::string name = path + std::string(member.key());
    const auto* there = known.if_contains(member.key());
    if (there == nullptr) {
      found.push_back(fmt::format("{} is not a known setting and is ignored{}", name, advice(member.key(), known)));
    } else if (member.value().is_object() && there->is_object()) {
      collect_unknown(member.value().get_object(), there->get_object(), name + ".", found);
    }
  }
}

}  // namespace

Result<bj::value> yaml_layer(const std::string& path) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return bj::value(bj::object{});
  try {
    auto layer = from_yaml(YAML::LoadFile(path));
    if (layer.is_null()) return bj::value(bj::object{});
    if (!layer.is_object()) return fail(ErrorKind::invalid, path + ": expected a map of settings");
    return layer;
  } catch (const YAML::Exception& error) {
    return fail(ErrorKind::invalid, fmt::format("{}: invalid YAML: {}", path, error.what()));
  }
}

void overlay(bj::value& below, const bj::value& above) {
  overlay(below, above, false);
}

std::vector<std::string> unknown_names(const bj::value& layer, const bj::value& known) {
  std::vector<std::string> found;
  if (layer.is_object() && known.is_object()) collect_unknown(layer.get_object(), known.get_object(), "", found);
  return found;
}

}  // namespace fairlead::answer
