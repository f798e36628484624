#include <fairlead/server/fields.hpp>

#include <fairlead/json/scan.hpp>
#include <fairlead/protocol/protocol_error.hpp>

namespace fairlead::server {
namespace {

/// Collects all argument errors into one message.
class ArgumentErrors {
 public:
  void add(std::string_view text) {
    if (!text_.empty()) text_ += "; ";
    text_ += text;
  }
  void add(std::string_view name, std::string_view reason) { add(std::string(name) + ": " + std::string(reason)); }

  Result<void> result() {
    if (text_.empty()) return {};
    return refuse(protocol::ProtocolError::bad_arguments, std::move(text_));
  }

 private:
  std::string text_;
};

// `7` in a URI may be a number: decodes the text of a string that the field does not accept.
bool read_as_json(std::string_view json, const Field& field, void* target) {
  auto text = json::decode<std::string>(json);
  if (!text || json::scan(*text)) return false;
  json::Decoder decoder(*text);
  return field.read(decoder, target);
}

void read_field(const Input& input, std::string_view json, const Field& field, void* target, ArgumentErrors& errors) {
  json::Decoder decoder(json);
  if (field.read(decoder, target)) return;
  if (input.source == InputFormat::text && read_as_json(json, field, target)) return;
  decoder.inside(field.name);
  errors.add(decoder.error().message);
}

std::size_t find(std::span<const Field> fields, std::string_view name) {
  std::size_t at = 0;
  while (at < fields.size() && fields[at].name != name) ++at;
  return at;
}

void describe_fields(json::SchemaText& schema, std::span<const Field> fields) {
  json::ObjectWriter properties(schema.text);
  schema.enter("properties");
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    properties.member(field.name);
    const std::size_t from = schema.text.size();
    schema.enter(field.name);
    schema.description = field.doc;
    field.describe(schema);
    schema.leave(field.name);
    if (field.default_json != nullptr) schema.set_default(from, field.default_json());
  }
  schema.leave("properties");
}

}  // namespace

Error bad_input(Error error) {
  return protocol::protocol_error(protocol::ProtocolError::bad_arguments, std::move(error.message));
}

Result<void> read_fields(const Input& input, std::span<const Field> fields, void* const* targets) {
  json::Reader object(input.json.empty() ? std::string_view("{}") : input.json);
  ArgumentErrors errors;
  std::uint64_t seen = 0;
  if (object.kind() != json::Kind::object) {
    errors.add("arguments", "expected an object, got " + std::string(json::kind_phrase(object.kind())));
    return errors.result();
  }
  for (object.open(); object.more();) {
    const auto name = object.key();
    const std::size_t at = find(fields, name);
    const std::uint64_t bit = at == fields.size() ? 0 : std::uint64_t{1} << at;
    if (bit == 0 && input.reject_unknown) errors.add(name, "is not an argument of this tool");
    if ((seen & bit) != 0) errors.add(name, "the name appears twice");
    const auto json = object.skip();
    if ((bit & ~seen) != 0) read_field(input, json, fields[at], targets[at], errors);
    seen |= bit;
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if ((seen >> i & 1) == 0 && fields[i].is_required()) errors.add(fields[i].name, "is required");
  }
  return errors.result();
}

std::string fields_schema(std::span<const Field> fields, bool reject_unknown) {
  json::SchemaText schema;
  {
    json::ObjectWriter object(schema.text);
    object.text("type", "object");
    object.plain_member("properties");
    describe_fields(schema, fields);
    std::vector<std::string> required;
    for (const Field& field : fields) {
      if (field.is_required()) required.emplace_back(field.name);
    }
    if (!required.empty()) json::write_elements(object.plain_member("required"), required);
    if (reject_unknown) object.raw("additionalProperties", "false");
  }
  return std::move(schema.text);
}

}  // namespace fairlead::server
