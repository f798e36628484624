#include "demo/features.hpp"
#include "demo/sample_media.hpp"

namespace fairlead::demo {
namespace {

ImageContent picture() {
  return {.data = std::string(png), .mimeType = "image/png"};
}

EmbeddedResource embedded(std::string uri, std::string mime_type, std::string text) {
  protocol::TextResourceContents contents;
  contents.uri = std::move(uri);
  contents.mimeType = std::move(mime_type);
  contents.text = std::move(text);
  return {.resource = std::move(contents)};
}

std::vector<ContentBlock> several_kinds() {
  std::vector<ContentBlock> blocks;
  blocks.emplace_back(TextContent{.text = "Multiple content types test:"});
  blocks.emplace_back(picture());
  blocks.emplace_back(embedded("test://mixed-content-resource", "application/json", R"({"test":"data","value":123})"));
  return blocks;
}

TextContent annotated() {
  protocol::Annotations annotations;
  annotations.audience = {protocol::Role::user, protocol::Role::assistant};
  annotations.priority = 0.7;
  return {.text = "For the user and the assistant, with high priority.", .annotations = std::move(annotations)};
}

ResourceLink link() {
  ResourceLink link{.uri = "test://static-text", .name = "static-text"};
  link.title = "A text that never changes";
  link.mimeType = "text/plain";
  return link;
}

}  // namespace

void add_content_tools(Server& server) {
  server.tool("test_simple_text", "Returns a text", [] { return "This is a simple text response for testing."; });
  server.tool("test_image_content", "Returns an image", [] { return picture(); });
  server.tool("test_audio_content", "Returns audio",
              [] { return AudioContent{.data = std::string(wav), .mimeType = "audio/wav"}; });
  server.tool("test_embedded_resource", "Returns an embedded resource", [] {
    return embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.");
  });
  server.tool("test_multiple_content_types", "Returns a text, an image and a resource", several_kinds);
  server.tool("test_annotated_content", "Returns a text with audience and priority annotations", annotated);
  server.tool("test_resource_link", "Returns a resource link", link);
  server.tool("test_error_handling", "Always fails", []() -> Result<std::string> {
    return fail(ErrorKind::invalid, "This tool intentionally returns an error for testing");
  });
}

}  // namespace fairlead::demo
