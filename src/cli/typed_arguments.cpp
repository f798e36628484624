#include "cli/typed_arguments.hpp"

#include <boost/json.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/scan.hpp>
#include <fmt/format.h>
#include <map>

namespace fairlead::cli {
namespace {

namespace bj = boost::json;

struct Assignment {
  std::string name;
  std::string value;
  bool is_json = false;
};

Result<Assignment> parse_assignment(const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fail(ErrorKind::invalid, fmt::format("'{}': expected name=value or name:=json", assignment));
  }
  const bool is_json = equals > 1 && assignment[equals - 1] == ':';
  return Assignment{assignment.substr(0, is_json ? equals - 1 : equals), assignment.substr(equals + 1), is_json};
}

const bj::value* member(const bj::value* of, std::string_view name) {
  const auto* object = of != nullptr ? of->if_object() : nullptr;
  return object != nullptr ? object->if_contains(name) : nullptr;
}

/// The types that a schema allows for a value. Follows references within the schema, such as `#/$defs/name`.
class ExpectedType {
 public:
  ExpectedType(const bj::value& root, const bj::value* schema) : root_(root) { read(schema, 0); }

  bool unknown() const { return types_.empty(); }
  bool has(std::string_view type) const { return types_.contains(std::string(type)); }
  const bj::value* items() const { return items_; }

  std::string text() const {
    std::string all;
    for (const auto& [type, _] : types_) all += (all.empty() ? "" : " or ") + type;
    return all;
  }

 private:
  void read(const bj::value* schema, int depth) {
    constexpr int deepest = 16;
    if (schema == nullptr || depth > deepest) return;
    if (const auto* reference = member(schema, "$ref")) read(target(*reference), depth + 1);
    if (const auto* type = member(schema, "type")) add(*type);
    if (const auto* items = member(schema, "items")) items_ = items;
    for (const auto* key : {"anyOf", "oneOf", "allOf"}) {
      const auto* choices = member(schema, key);
      if (choices == nullptr || !choices->is_array()) continue;
      for (const auto& choice : choices->get_array()) read(&choice, depth + 1);
    }
  }

  void add(const bj::value& type) {
    if (type.is_string()) types_.emplace(type.get_string(), true);
    if (!type.is_array()) return;
    for (const auto& each : type.get_array()) add(each);
  }

  const bj::value* target(const bj::value& reference) const {
    boost::system::error_code error;
    if (!reference.is_string() || !reference.get_string().starts_with('#')) return nullptr;
    return root_.find_pointer(reference.get_string().subview(1), error);
  }

  const bj::value& root_;
  std::map<std::string, bool> types_;
  const bj::value* items_ = nullptr;
};

std::unexpected<Error> type_error(const Assignment& assignment, std::string_view expected) {
  return fail(ErrorKind::invalid, fmt::format("{}: expected {}, got '{}'; use {}:=<json> to send raw JSON",
                                              assignment.name, expected, assignment.value, assignment.name));
}

bool is_json(const std::string& text) {
  return !json::scan(text);
}

// Decides by the first character, which is enough for valid JSON.
bool matches_type(const ExpectedType& expected, const std::string& value) {
  if (value.empty() || !is_json(value)) return false;
  const char first = value.front();
  if (first == '-' || (first >= '0' && first <= '9')) return expected.has("number") || expected.has("integer");
  if (value == "true" || value == "false") return expected.has("boolean");
  if (value == "null") return expected.has("null");
  return (first == '[' && expected.has("array")) || (first == '{' && expected.has("object"));
}

Result<std::string> one_value(const Assignment& assignment, const ExpectedType& expected) {
  if (assignment.is_json)
    return is_json(assignment.value) ? Result<std::string>(assignment.value) : type_error(assignment, "JSON");
  if (expected.unknown() || expected.has("string")) return json::encode(assignment.value);
  if (matches_type(expected, assignment.value)) return assignment.value;
  return type_error(assignment, expected.text());
}

class ArgumentCollector {
 public:
  ArgumentCollector(const bj::value& schema, std::string base)
      : schema_(schema), base_(std::move(base)), object_(base_) {}

  Result<void> add(const Assignment& assignment) {
    const ExpectedType expected(schema_, member(member(&schema_, "properties"), assignment.name));
    const bool whole = assignment.is_json || assignment.value.starts_with('[') || expected.has("string");
    if (!expected.has("array") || whole) return set(assignment, one_value(assignment, expected));
    auto element = one_value(assignment, ExpectedType(schema_, expected.items()));
    if (!element) return std::unexpected(std::move(element.error()));
    auto& list = lists_[assignment.name];
    list += (list.empty() ? "" : ",") + *element;
    return set(assignment, "[" + list + "]");
  }

  std::string text() const { return object_.text(); }

 private:
  Result<void> set(const Assignment& assignment, Result<std::string> json) {
    if (!json) return std::unexpected(std::move(json.error()));
    object_.set(assignment.name, std::move(*json));
    return {};
  }

  const bj::value& schema_;
  std::string base_;
  json::ObjectEdit object_;
  std::map<std::string, std::string> lists_;
};

}  // namespace

Result<std::string> typed_arguments(std::span<const std::string> assignments, const json::Payload& schema,
                                    std::string base) {
  if (!is_json(base) || !base.starts_with('{')) {
    return fail(ErrorKind::invalid, "--args: expected a JSON object, got " + base.substr(0, 100));
  }
  ArgumentCollector collected(schema.value(), std::move(base));
  for (const auto& text : assignments) {
    const auto assignment = parse_assignment(text);
    if (!assignment) return std::unexpected(assignment.error());
    if (auto added = collected.add(*assignment); !added) return std::unexpected(std::move(added.error()));
  }
  return collected.text();
}

}  // namespace fairlead::cli
