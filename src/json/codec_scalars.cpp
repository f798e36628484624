#include <charconv>
#include <cmath>
#include <fairlead/json/codec/scalars.hpp>

#include "base/parse_number.hpp"
#include "json/lexical.hpp"

namespace fairlead::json {
namespace {

// The text of a number, or nothing after a failure.
std::string_view number_token(Decoder& decoder, std::string_view what) {
  if (decoder.in.kind() == Kind::number) return decoder.in.number();
  decoder.expected(what);
  return {};
}

// Truncates a long number for an error message.
std::string shortened(std::string_view token) {
  constexpr std::size_t most = 40;
  return token.size() <= most ? std::string(token) : std::string(token.substr(0, most)) + "…";
}

// The largest integer up to which doubles are exact (2^53 - 1).
constexpr double exact = 9007199254740991.0;

// Accepts `1.0` and `2e3`.
template <class Wide>
bool parse_integer(std::string_view token, Wide lowest, Wide highest, Wide& value) {
  if (const auto integer = parse_number<Wide>(token)) {
    value = *integer;
  } else {
    const auto number = parse_number<double>(token);
    if (!number || std::trunc(*number) != *number || std::abs(*number) > exact) return false;
    if (*number < 0 && std::is_unsigned_v<Wide>) return false;
    value = static_cast<Wide>(*number);
  }
  return value >= lowest && value <= highest;
}

template <class Wide>
bool read_between(Decoder& decoder, Wide lowest, Wide highest, Wide& value) {
  const std::string_view token = number_token(decoder, "an integer");
  if (token.empty()) return false;
  return parse_integer(token, lowest, highest, value) ||
         decoder.fail("expected an integer from " + std::to_string(lowest) + " to " + std::to_string(highest) +
                      ", got " + shortened(token));
}

}  // namespace

void describe_scalar(SchemaText& schema, std::string_view type) {
  ObjectWriter object(schema.text);
  object.text("type", type);
  schema.annotate(object);
}

bool Codec<std::string>::read(Decoder& decoder, std::string& value) {
  if (decoder.in.kind() != Kind::string) return decoder.expected("a string");
  value.clear();
  decoder.in.string(value);
  return true;
}

bool Codec<double>::read(Decoder& decoder, double& value) {
  const std::string_view token = number_token(decoder, "a number");
  if (token.empty()) return false;
  value = to_double(token);
  return std::isfinite(value) || decoder.fail("does not fit a double: " + shortened(token));
}

bool Codec<float>::read(Decoder& decoder, float& value) {
  double wide = 0;
  if (!Codec<double>::read(decoder, wide)) return false;
  value = static_cast<float>(wide);
  return std::isfinite(value) || decoder.fail("does not fit a float");
}

// Formats as a float, not as a double: 0.1f is 0.1, not 0.10000000149011612.
void Codec<float>::write(std::string& out, float value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

bool read_integer(Decoder& decoder, std::int64_t lowest, std::int64_t highest, std::int64_t& value) {
  return read_between(decoder, lowest, highest, value);
}

bool read_unsigned(Decoder& decoder, std::uint64_t highest, std::uint64_t& value) {
  return read_between(decoder, std::uint64_t{0}, highest, value);
}

void describe_integer(SchemaText& schema, bool is_unsigned) {
  ObjectWriter object(schema.text);
  object.text("type", "integer");
  if (is_unsigned) object.raw("minimum", "0");
  schema.annotate(object);
}

void Codec<Payload>::describe(SchemaText& schema) {
  ObjectWriter object(schema.text);
  schema.annotate(object);
}

bool read_name(Decoder& decoder, const std::string_view* names, std::size_t count, std::size_t& index) {
  std::string name;
  if (!Codec<std::string>::read(decoder, name)) return false;
  std::string choices;
  for (index = 0; index < count; ++index) {
    if (names[index] == name) return true;
    write_string(choices += index == 0 ? "" : ", ", names[index]);
  }
  std::string got;
  write_string(got, shortened(name));
  return decoder.fail("expected one of " + choices + ", got " + got);
}

void describe_names(SchemaText& schema, const std::string_view* names, std::size_t count) {
  ObjectWriter object(schema.text);
  object.text("type", "string");
  std::string& out = object.member("enum") += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out += ',';
    write_string(out, names[i]);
  }
  out += ']';
  schema.annotate(object);
}

}  // namespace fairlead::json
