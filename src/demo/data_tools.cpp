#include "demo/features.hpp"
#include "demo/sample_media.hpp"
#include "demo/weather.hpp"
#include "demo/weather_page.hpp"

namespace fairlead::demo {
namespace {

constexpr auto page = "ui://demo/weather";

ResourceLink picture_link() {
  ResourceLink link{.uri = "demo://picture", .name = "picture"};
  link.title = "A picture";
  link.mimeType = "image/png";
  return link;
}

std::vector<ContentBlock> attached_files() {
  protocol::TextResourceContents welcome;
  welcome.uri = "demo://welcome";
  welcome.mimeType = "text/plain";
  welcome.text = welcome_text;
  std::vector<ContentBlock> blocks;
  blocks.emplace_back(TextContent{.text = "The first file is embedded, the second one is a link to a resource."});
  blocks.emplace_back(EmbeddedResource{.resource = std::move(welcome)});
  blocks.emplace_back(picture_link());
  return blocks;
}

}  // namespace

void add_data_tools(Server& server) {
  server.tool("add", read_only("Add", "Adds two numbers"),
              [](Arg<"a", double, "The first"> a, Arg<"b", double, "The second"> b) { return a + b; });
  server.page(page, std::string(weather_page),
              {.name = "weather", .description = "Shows the weather of a city", .title = "Weather", .border = true});
  auto options = read_only("Weather",
                           "Returns invented weather of a city as a structured result; hosts with MCP Apps "
                           "show it as a page");
  options.ui.page = page;
  server.tool("weather", std::move(options), weather);
  server.tool("picture", read_only("Picture", "Returns a very small picture"),
              [] { return ImageContent{.data = std::string(png), .mimeType = "image/png"}; });
  server.tool("attach_files", read_only("Attach files", "Returns an embedded resource and a link to a resource"),
              attached_files);
}

}  // namespace fairlead::demo
