#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <limits>
#include <memory>
#include <re2/re2.h>
#include <utility>

#include "json/schema/name_table.hpp"
#include "json/schema/number.hpp"

namespace fairlead::json::schema {

using Pattern = std::shared_ptr<const re2::RE2>;
using FormatCheck = bool (*)(std::string_view);

inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// Bits of a set of JSON types; an integer is a number too.
namespace type_bit {
inline constexpr std::uint8_t null = 1, boolean = 2, object = 4, array = 8, string = 16, integer = 32, number = 64;
inline constexpr std::uint8_t any = 127;
}  // namespace type_bit

/// `enum`, and `const` as an enum of one.
struct Constants {
  struct Entry {
    std::uint64_t hash = 0;
    boost::json::value value;
  };
  std::vector<Entry> entries;  ///< In the order of the schema, as shown in messages.
  std::vector<std::pair<std::uint64_t, std::size_t>> by_hash = {};  ///< Sorted; only for long lists.
  std::size_t cost = 1;                                             ///< Steps to compare a value with all entries.
};

struct NumberRules {
  std::optional<Number> minimum = {};
  std::optional<Number> maximum = {};
  std::optional<Number> exclusive_minimum = {};
  std::optional<Number> exclusive_maximum = {};
  std::optional<Number> multiple_of = {};
  Decimal divisor = {};  ///< `multiple_of` as a decimal.
};

struct StringRules {
  std::size_t min_length = 0;
  std::size_t max_length = no_limit;
  Pattern pattern = {};
  std::string pattern_text = {};
  FormatCheck format = nullptr;
  std::string format_name = {};
};

struct ArrayRules {
  std::vector<NodeId> prefix = {};
  NodeId items = no_node;  ///< For the items after `prefix`.
  NodeId contains = no_node;
  std::size_t min_contains = 1;
  std::size_t max_contains = no_limit;
  std::size_t min_items = 0;
  std::size_t max_items = no_limit;
  bool unique = false;
};

struct PatternProperty {
  Pattern pattern;
  NodeId node = no_node;
};

struct Dependency {
  std::string trigger;
  std::vector<std::string> required = {};
  NodeId node = no_node;
};

struct ObjectRules {
  NameTable names = {};  ///< `properties` and `required`.
  std::vector<PatternProperty> patterns = {};
  NodeId additional = no_node;
  NodeId property_names = no_node;
  std::size_t min_properties = 0;
  std::size_t max_properties = no_limit;
  std::vector<Dependency> dependencies = {};
};

struct DynamicReference {
  NodeId initial = no_node;
  std::optional<std::uint32_t> anchor = {};  ///< Index of the anchor name to search for in the dynamic scope.
};

/// Keywords that apply schemas to the value itself.
struct LogicRules {
  std::vector<NodeId> all_of = {};  ///< Includes `$ref`.
  std::vector<NodeId> any_of = {};
  std::vector<NodeId> one_of = {};
  std::vector<DynamicReference> dynamic = {};
  NodeId negated = no_node;
  NodeId condition = no_node;
  NodeId then = no_node;
  NodeId otherwise = no_node;
};

enum class Verdict : std::uint8_t { by_rules, always, never };

/// One schema. Rules it does not use are null, so that only the rules of a value's type are evaluated.
struct Node {
  Verdict verdict = Verdict::by_rules;
  std::uint8_t types = type_bit::any;
  std::uint32_t resource = 0;
  std::vector<Constants> constants = {};
  std::unique_ptr<NumberRules> number = {};
  std::unique_ptr<StringRules> string = {};
  std::unique_ptr<ArrayRules> array = {};
  std::unique_ptr<ObjectRules> object = {};
  std::unique_ptr<LogicRules> logic = {};
  NodeId unevaluated_items = no_node;
  NodeId unevaluated_properties = no_node;
};

/// A compiled schema. Immutable; does not refer to the schema's text.
struct Program {
  std::vector<Node> nodes;  ///< The first is the root.
  /// The dynamic anchors of each schema resource: (index of the name, node).
  std::vector<std::vector<std::pair<std::uint32_t, NodeId>>> dynamic_anchors;
  std::size_t max_depth = 0;
  std::size_t max_steps = 0;
};

}  // namespace fairlead::json::schema
