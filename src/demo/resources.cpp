#include "demo/features.hpp"
#include "demo/sample_media.hpp"

namespace fairlead::demo {
namespace {

constexpr std::string_view static_text = "This is the content of the static text resource.";

struct Item {
  std::string id;
  bool templateTest = true;  // NOLINT(readability-identifier-naming): as the conformance suite spells it.
  std::string data;
};

server::ResourceOptions described(std::string name, std::string title, std::string description, std::string mime_type) {
  server::ResourceOptions options;
  options.name = std::move(name);
  options.title = std::move(title);
  options.description = std::move(description);
  options.mime_type = std::move(mime_type);
  return options;
}

server::ResourceOptions important(server::ResourceOptions options) {
  auto& annotations = options.annotations.emplace();
  annotations.audience = {protocol::Role::assistant};
  annotations.priority = 0.9;
  options.size = static_text.size();
  return options;
}

}  // namespace

void add_resources(Server& server) {
  server.resource("test://static-text",
                  important(described("static-text", "A text", "A text that never changes", "text/plain")),
                  [] { return static_text; });
  server.resource("test://static-binary", described("static-binary", "A picture", "A very small picture", "image/png"),
                  [] {
                    protocol::BlobResourceContents contents;
                    contents.mimeType = "image/png";
                    contents.blob = png;
                    return contents;
                  });
  server.resource<"test://template/{id}/data">(
      described("template-data", "Any item", "An item for every id", "application/json"),
      [](Arg<"id", std::string> id) { return Item{.id = *id, .data = "Data for ID: " + *id}; });
  server.complete(protocol::ResourceReference{.uri = "test://template/{id}/data"}, "id", [](const std::string& prefix) {
    return std::vector<std::string>{prefix + "1", prefix + "2", prefix + "3"};
  });
}

}  // namespace fairlead::demo
