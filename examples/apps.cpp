// MCP Apps: a tool whose result a host shows as a page.
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <iostream>

int main() {
  fairlead::Server app{"clock", "1.0"};
  app.page("ui://clock/face", "<!doctype html><title>Clock</title><p id=time></p>",
           {.name = "Clock", .connect = {"https://time.example"}, .border = true});

  fairlead::ToolOptions time;
  time.description = "The time";
  time.ui.page = "ui://clock/face";
  // The text is for the model, and for hosts that show no pages.
  app.tool("time", std::move(time),
           [](fairlead::Context& context) { return context.shows_pages() ? "12:00, shown as a clock" : "12:00"; });

  // Only the page may call this one.
  fairlead::ToolOptions set;
  set.description = "Sets the time zone";
  set.ui.for_model = false;
  app.tool("set_zone", std::move(set), [](fairlead::Arg<"zone", std::string> zone) { return *zone; });

  // A host declares that it shows pages.
  fairlead::ClientOptions options;
  options.extensions["io.modelcontextprotocol/ui"] =
      fairlead::Payload::trusted(R"({"mimeTypes":["text/html;profile=mcp-app"]})");
  auto client = fairlead::connect(app, options);
  for (const auto& tool : client.tools()) std::cout << tool.name << ' ' << tool._meta->text() << '\n';
  const auto answer = client.call<std::string>("time");
  std::cout << answer << '\n';
  return answer == "12:00, shown as a clock" ? 0 : 1;
}
