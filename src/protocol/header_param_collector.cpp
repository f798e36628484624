#include <algorithm>
#include <boost/json.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <ranges>

#include "base/ascii.hpp"

namespace fairlead::protocol {
namespace {

constexpr std::string_view header_mark = "x-mcp-header";
constexpr int deepest_schema = 128;

/// A token of RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view signs = "!#$%&'*+-.^_`|~";
  return !text.empty() &&
         std::ranges::all_of(text, [&](char c) { return ascii::is_alphanumeric(c) || signs.find(c) != signs.npos; });
}

std::optional<HeaderParamType> primitive(const boost::json::value& type) {
  if (!type.is_string()) return std::nullopt;
  const std::string_view name = type.get_string();
  if (name == "string") return HeaderParamType::string;
  if (name == "integer") return HeaderParamType::integer;
  if (name == "boolean") return HeaderParamType::boolean;
  return std::nullopt;
}

/// The type of a marked value: string, integer or boolean, optionally together with "null".
std::optional<HeaderParamType> marked_type(const boost::json::object& schema) {
  const boost::json::value* type = schema.if_contains("type");
  if (type == nullptr) return std::nullopt;
  if (!type->is_array()) return primitive(*type);
  const auto is_null = [](const boost::json::value& one) { return one == "null"; };
  const auto& types = type->get_array();
  const auto other = std::ranges::find_if_not(types, is_null);
  const bool alone = other != types.end() && std::all_of(other + 1, types.end(), is_null);
  return alone ? primitive(*other) : std::nullopt;
}

/// Keywords whose value maps names to schemas.
bool names_schemas(std::string_view keyword) {
  return keyword == "properties" || keyword == "patternProperties" || keyword == "$defs" || keyword == "definitions" ||
         keyword == "dependentSchemas";
}

/// Keywords whose value is data, in which the mark has no meaning.
bool holds_data(std::string_view keyword) {
  return keyword == "default" || keyword == "const" || keyword == "enum" || keyword == "examples";
}

class HeaderParamCollector {
 public:
  Result<void> schema(const boost::json::value& value, int depth = 0) {
    if (depth > deepest_schema) return drop("the schema is nested too deeply");
    const auto* object = value.if_object();
    if (object == nullptr) return {};
    for (const auto& [keyword, member] : *object) {
      if (auto done = visit(*object, keyword, member, depth); !done) return done;
    }
    return {};
  }

  std::vector<HeaderParam> take() { return std::move(found_); }

 private:
  Result<void> visit(const boost::json::object& object, std::string_view keyword, const boost::json::value& member,
                     int depth) {
    if (keyword == header_mark) return add_param(object, member);
    if (keyword == "properties" && member.is_object()) return properties(member.get_object(), depth);
    if (!holds_data(keyword) && contains_mark(member, names_schemas(keyword), depth)) {
      return drop(fmt::format("{} is under {}, but must be reachable through properties only", header_mark, keyword));
    }
    return {};
  }

  Result<void> properties(const boost::json::object& members, int depth) {
    for (const auto& [name, member] : members) {
      path_.emplace_back(name);
      if (auto done = schema(member, depth + 1); !done) return done;
      path_.pop_back();
    }
    return {};
  }

  Result<void> add_param(const boost::json::object& object, const boost::json::value& value) {
    if (path_.empty()) return drop(fmt::format("{} is on the schema itself; it must be on a property", header_mark));
    if (!value.is_string() || !is_token(std::string_view(value.get_string()))) {
      return drop(fmt::format("{} must be a header token: letters, digits and !#$%&'*+-.^_`|~", header_mark));
    }
    const auto type = marked_type(object);
    if (!type) return drop(fmt::format("{} needs type string, integer or boolean", header_mark));
    auto full = std::string(header::param_prefix).append(std::string_view(value.get_string()));
    const auto same = [&](const HeaderParam& param) { return same_header(param.header, full); };
    if (std::ranges::any_of(found_, same)) return drop(fmt::format("{} occurs twice", full));
    found_.push_back({.header = std::move(full), .path = path_, .type = *type});
    return {};
  }

  /// True if the mark occurs anywhere in `value`; `names` if the members of `value` are names of schemas.
  static bool contains_mark(const boost::json::value& value, bool names, int depth) {
    // Too deep to check: drop the tool.
    if (depth > deepest_schema) return true;
    if (const auto* list = value.if_array()) {
      return std::ranges::any_of(*list, [&](const auto& item) { return contains_mark(item, false, depth + 1); });
    }
    const auto* object = value.if_object();
    if (object == nullptr) return false;
    return std::ranges::any_of(*object, [&](const auto& member) {
      const std::string_view keyword = member.key();
      if (names) return contains_mark(member.value(), false, depth + 1);
      return keyword == header_mark ||
             (!holds_data(keyword) && contains_mark(member.value(), names_schemas(keyword), depth + 1));
    });
  }

  std::unexpected<Error> drop(std::string_view why) const {
    return fail(ErrorKind::malformed, fmt::format("inputSchema, at /{}: {}", fmt::join(path_, "/"), why));
  }

  std::vector<std::string> path_;
  std::vector<HeaderParam> found_;
};

}  // namespace

Result<std::vector<HeaderParam>> collect_header_params(const boost::json::value& input_schema) {
  HeaderParamCollector collector;
  if (auto done = collector.schema(input_schema); !done) return std::unexpected(std::move(done.error()));
  return collector.take();
}

Result<std::vector<HeaderParam>> collect_header_params(std::string_view input_schema) {
  boost::system::error_code error;
  boost::json::parse_options options;
  options.max_depth = deepest_schema;
  const auto schema = boost::json::parse({input_schema.data(), input_schema.size()}, error, {}, options);
  if (error) return fail(ErrorKind::malformed, "inputSchema is not JSON: " + error.message());
  return collect_header_params(schema);
}

}  // namespace fairlead::protocol
