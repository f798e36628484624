#include "protocol/canonical_json.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace fairlead::protocol {
namespace {

constexpr std::size_t max_depth = 256;

void write(std::string& out, const boost::json::value& value);

void write_number(std::string& out, double number) {
  // 2^63, the first double beyond int64; smaller doubles without a fraction are written as integers.
  constexpr double limit = 9223372036854775808.0;
  if (std::trunc(number) == number && number >= -limit && number < limit) {
    fmt::format_to(std::back_inserter(out), "{}", static_cast<std::int64_t>(number));
  } else {
    fmt::format_to(std::back_inserter(out), "{}", number);
  }
}

void write_string(std::string& out, std::string_view text) {
  out += boost::json::serialize(boost::json::string_view(text.data(), text.size()));
}

void write_object(std::string& out, const boost::json::object& object, std::span<const std::string_view> without) {
  std::vector<const boost::json::key_value_pair*> members;
  for (const auto& member : object) {
    if (std::ranges::find(without, std::string_view(member.key())) == without.end()) members.push_back(&member);
  }
  std::ranges::sort(members, {}, [](const auto* member) { return std::string_view(member->key()); });
  out += '{';
  for (const auto* member : members) {
    if (member != members.front()) out += ',';
    write_string(out, member->key());
    out += ':';
    write(out, member->value());
  }
  out += '}';
}

void write_array(std::string& out, const boost::json::array& array) {
  out += '[';
  for (const auto& item : array) {
    if (&item != &array.front()) out += ',';
    write(out, item);
  }
  out += ']';
}

void write(std::string& out, const boost::json::value& value) {
  switch (value.kind()) {
    case boost::json::kind::object: return write_object(out, value.get_object(), {});
    case boost::json::kind::array: return write_array(out, value.get_array());
    case boost::json::kind::string: return write_string(out, value.get_string());
    case boost::json::kind::double_: return write_number(out, value.get_double());
    default: out += boost::json::serialize(value);
  }
}

}  // namespace

std::optional<std::string> canonical_json(std::string_view text, std::span<const std::string_view> without) {
  boost::system::error_code error;
  boost::json::parse_options options;
  options.max_depth = max_depth;
  const auto value = boost::json::parse({text.data(), text.size()}, error, {}, options);
  if (error) return std::nullopt;
  std::string out;
  out.reserve(text.size());
  if (value.is_object()) {
    write_object(out, value.get_object(), without);
  } else {
    write(out, value);
  }
  return out;
}

}  // namespace fairlead::protocol
