#include <fairlead/base/base64.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/server/prompt.hpp>
#include <fairlead/server/resource.hpp>
#include <fairlead/server/tool.hpp>

namespace fairlead::server {

protocol::CallToolResult text_result(std::string text) {
  protocol::CallToolResult result;
  result.content.emplace_back(std::in_place_type<protocol::TextContent>, std::move(text));
  result.isError = false;
  return result;
}

// Repeats the JSON as text, for clients without structured content.
protocol::CallToolResult structured_result(std::string json) {
  auto result = text_result(json);
  result.structuredContent = json::Payload::trusted(std::move(json));
  return result;
}

bool detail::describes_object(std::string_view schema) {
  return json::member_of(schema, "type") == R"("object")";
}

std::string detail::to_base64(std::string_view bytes) {
  return base64_encode(bytes);
}

protocol::ReadResourceResult text_contents(std::string text, std::string_view mime_type) {
  protocol::TextResourceContents contents;
  contents.text = std::move(text);
  contents.mimeType = mime_type;
  return ResourceResultConverter::convert(std::move(contents));
}

protocol::ReadResourceResult blob_contents(const BlobContents& bytes) {
  protocol::BlobResourceContents contents;
  contents.blob = base64_encode(bytes.data);
  contents.mimeType = "application/octet-stream";
  return ResourceResultConverter::convert(std::move(contents));
}

std::vector<protocol::PromptArgument> prompt_arguments(std::span<const Field> fields) {
  std::vector<protocol::PromptArgument> arguments;
  for (const Field& field : fields) {
    auto& argument = arguments.emplace_back();
    argument.name = field.name;
    argument.required = field.is_required();
    // The description of a struct member is part of its type.
    json::SchemaText schema;
    schema.description = field.doc;
    field.describe(schema);
    struct Described {
      std::optional<std::string> description = {};
    };
    if (auto described = json::decode<Described>(schema.text)) argument.description = std::move(described->description);
  }
  return arguments;
}

}  // namespace fairlead::server
