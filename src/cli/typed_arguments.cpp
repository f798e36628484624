#include "cli/typed_arguments.hpp"

#include <boost/json.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/scan.hpp>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace fairlead::cli {
namespace {

namespace bj = boost::json;

struct Word {
  std::string name;
  std::string value;
  bool is_json = false;
};

Result<Word> split(const std::string& word) {
  const auto equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fail(ErrorKind::invalid, fmt::format("'{}': write name=value, or name:=json", word));
  }
  const bool is_json = equals > 1 && word[equals - 1] == ':';
  return Word{word.substr(0, is_json ? equals - 1 : equals), word.substr(equals + 1), is_json};
}

const bj::value* member(const bj::value* of, std::string_view name) {
  const auto* object = of != nullptr ? of->if_object() : nullptr;
  return object != nullptr ? object->if_contains(name) : nullptr;
}

/// What a schema says about the type of a value. A reference is followed if it is as simple as `#/$defs/name`.
class Wanted {
 public:
  Wanted(const bj::value& root, const bj::value* schema) : root_(root) { read(schema, 0); }

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

std::unexpected<Error> refuse(const Word& word, std::string_view wanted) {
  return fail(ErrorKind::invalid,
              fmt::format("{}: '{}' is no {}; {}:=… takes any JSON", word.name, word.value, wanted, word.name));
}

bool is_json(const std::string& text) {
  return !json::scan(text);
}

// A number begins as no other JSON does, and a boolean is a word.
bool reads_as(const Wanted& wanted, const std::string& value) {
  if (value.empty() || !is_json(value)) return false;
  const char first = value.front();
  if (first == '-' || (first >= '0' && first <= '9')) return wanted.has("number") || wanted.has("integer");
  if (value == "true" || value == "false") return wanted.has("boolean");
  if (value == "null") return wanted.has("null");
  return (first == '[' && wanted.has("array")) || (first == '{' && wanted.has("object"));
}

Result<std::string> one_value(const Word& word, const Wanted& wanted) {
  if (word.is_json) return is_json(word.value) ? Result<std::string>(word.value) : refuse(word, "JSON");
  if (wanted.unknown() || wanted.has("string")) return json::encode(word.value);
  if (reads_as(wanted, word.value)) return word.value;
  return refuse(word, wanted.text());
}

class Collector {
 public:
  Collector(const bj::value& schema, std::string base) : schema_(schema), base_(std::move(base)), object_(base_) {}

  Result<void> add(const Word& word) {
    const Wanted wanted(schema_, member(member(&schema_, "properties"), word.name));
    const bool whole = word.is_json || word.value.starts_with('[') || wanted.has("string");
    if (!wanted.has("array") || whole) return set(word, one_value(word, wanted));
    auto element = one_value(word, Wanted(schema_, wanted.items()));
    if (!element) return std::unexpected(std::move(element.error()));
    auto& list = lists_[word.name];
    list += (list.empty() ? "" : ",") + *element;
    return set(word, "[" + list + "]");
  }

  std::string text() const { return object_.text(); }

 private:
  Result<void> set(const Word& word, Result<std::string> json) {
    if (!json) return std::unexpected(std::move(json.error()));
    object_.set(word.name, std::move(*json));
    return {};
  }

  const bj::value& schema_;
  std::string base_;
  json::ObjectEdit object_;
  std::map<std::string, std::string> lists_;
};

}  // namespace

Result<std::string> typed_arguments(std::span<const std::string> words, const json::Payload& schema, std::string base) {
  if (!is_json(base) || !base.starts_with('{')) {
    return fail(ErrorKind::invalid, "the arguments are no JSON object: " + base.substr(0, 100));
  }
  Collector collected(schema.value(), std::move(base));
  for (const auto& text : words) {
    const auto word = split(text);
    if (!word) return std::unexpected(word.error());
    if (auto added = collected.add(*word); !added) return std::unexpected(std::move(added.error()));
  }
  return collected.text();
}

}  // namespace fairlead::cli
