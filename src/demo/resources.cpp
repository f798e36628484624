#include "demo/features.hpp"
#include "demo/sample_media.hpp"
#include "demo/weather.hpp"

namespace fairlead::demo {
namespace {

server::ResourceOptions described(std::string name, std::string title, std::string description, std::string mime_type) {
  server::ResourceOptions options;
  options.name = std::move(name);
  options.title = std::move(title);
  options.description = std::move(description);
  options.mime_type = std::move(mime_type);
  return options;
}

}  // namespace

void add_resources(Server& server) {
  auto welcome = described("welcome", "A text", "A text that never changes", "text/plain");
  welcome.size = welcome_text.size();
  server.resource("demo://welcome", std::move(welcome), [] { return welcome_text; });
  server.resource("demo://picture", described("picture", "A picture", "A very small picture", "image/png"), [] {
    protocol::BlobResourceContents contents;
    contents.mimeType = "image/png";
    contents.blob = png;
    return contents;
  });
  server.resource<"demo://weather/{city}">(
      described("weather", "The weather of a city", "Invented weather for any city", "application/json"),
      [](Arg<"city", std::string> city) { return weather({.city = {std::move(city.value)}}); });
  server.complete(protocol::ResourceReference{.uri = "demo://weather/{city}"}, "city", cities_beginning_with);
}

}  // namespace fairlead::demo
