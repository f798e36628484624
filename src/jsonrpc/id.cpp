#include <fairlead/jsonrpc/id.hpp>

#include <fairlead/json/writer.hpp>

#include "base/parse_number.hpp"

namespace fairlead::jsonrpc {

Id Id::from_number(std::string_view token) {
  Id id;
  const auto number = parse_number<std::int64_t>(token);
  // Minus zero is kept verbatim: as an int64 it would be written as 0.
  if (number && token != "-0") {
    id.value_ = *number;
  } else {
    id.value_ = Number{std::string(token)};
  }
  return id;
}

void Id::write(std::string& out) const {
  if (const auto* number = std::get_if<std::int64_t>(&value_)) {
    json::write_number(out, *number);
  } else if (const auto* text = std::get_if<std::string>(&value_)) {
    json::write_string(out, *text);
  } else {
    out += std::get<Number>(value_).token;
  }
}

std::string Id::to_json() const {
  std::string out;
  write(out);
  return out;
}

}  // namespace fairlead::jsonrpc

namespace fairlead::json {

bool Codec<jsonrpc::Id>::read(Decoder& decoder, jsonrpc::Id& id) {
  if (decoder.in.kind() == Kind::string) {
    std::string text;
    decoder.in.string(text);
    id = std::move(text);
    return true;
  }
  if (decoder.in.kind() != Kind::number) return decoder.expected("a string or an integer");
  id = jsonrpc::Id::from_number(decoder.in.number());
  return true;
}

void Codec<jsonrpc::Id>::describe(SchemaText& schema) {
  ObjectWriter object(schema.text);
  object.raw("type", R"(["string","integer"])");
  schema.annotate(object);
}

}  // namespace fairlead::json
