#include "json/schema/equality.hpp"

#include <functional>
#include <string_view>

#include "json/schema/number.hpp"

namespace fairlead::json::schema {

namespace {

namespace bj = boost::json;

/// Approximate cost of one comparison of short strings.
constexpr std::size_t bytes_per_step = 64;

bool equal_arrays(const bj::array& left, const bj::array& right) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!equal(left[i], right[i])) return false;
  }
  return true;
}

bool equal_objects(const bj::object& left, const bj::object& right) {
  if (left.size() != right.size()) return false;
  for (const auto& member : left) {
    const auto* other = right.if_contains(member.key());
    if (other == nullptr || !equal(member.value(), *other)) return false;
  }
  return true;
}

std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 32)) * 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 29)) * 0xBF58476D1CE4E5B9U;
  return bits ^ (bits >> 32);
}

std::uint64_t hash_of_text(std::string_view text) {
  return mixed(std::hash<std::string_view>{}(text) + 5);
}

std::uint64_t hash_of_number(const Number& number) {
  return std::visit([](auto plain) { return mixed(std::hash<decltype(plain)>{}(plain) + 4); }, simplest(number));
}

}  // namespace

bool equal(const bj::value& left, const bj::value& right) {
  if (const auto number = number_of(left)) {
    const auto other = number_of(right);
    return other && compare(*number, *other) == 0;
  }
  if (left.kind() != right.kind()) return false;
  switch (left.kind()) {
    case bj::kind::bool_: return left.get_bool() == right.get_bool();
    case bj::kind::string: return left.get_string() == right.get_string();
    case bj::kind::array: return equal_arrays(left.get_array(), right.get_array());
    case bj::kind::object: return equal_objects(left.get_object(), right.get_object());
    default: return true;
  }
}

std::uint64_t hash_of(const bj::value& value) {
  if (const auto number = number_of(value)) return hash_of_number(*number);
  std::uint64_t hash = 1;
  switch (value.kind()) {
    case bj::kind::bool_: return value.get_bool() ? 2 : 3;
    case bj::kind::string: return hash_of_text(value.get_string());
    case bj::kind::array:
      for (const auto& item : value.get_array()) hash = mixed(hash * 31 + hash_of(item));
      return hash + 1;
    case bj::kind::object:
      // A sum, because the order of members does not matter.
      for (const auto& member : value.get_object()) {
        hash += mixed(hash_of_text(member.key()) * 31 + hash_of(member.value()));
      }
      return hash + 2;
    default: return hash;
  }
}

std::size_t comparison_cost(const bj::value& value, std::size_t limit) {
  std::size_t cost = 1;
  if (const auto* text = value.if_string()) cost += text->size() / bytes_per_step;
  if (const auto* items = value.if_array()) {
    for (auto at = items->begin(); at != items->end() && cost < limit; ++at) cost += comparison_cost(*at, limit - cost);
  }
  if (const auto* members = value.if_object()) {
    for (auto at = members->begin(); at != members->end() && cost < limit; ++at) {
      cost += at->key().size() / bytes_per_step + comparison_cost(at->value(), limit - cost);
    }
  }
  return cost;
}

}  // namespace fairlead::json::schema
