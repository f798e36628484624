#include <fairlead/server.hpp>

/// A server with a page, for apps.test.mjs.
int main(int argc, char** argv) {
  fairlead::Server app{"clock", "1.0"};
  app.page("ui://clock/face", "<!doctype html><p id=time></p>",
           {.connect = {"https://time.example"}, .clipboard_write = true, .border = true});
  app.tool("time", fairlead::ToolOptions{.description = "The time", .ui = {.page = "ui://clock/face"}},
           [](fairlead::Context& context) { return context.shows_pages() ? "12:00, shown as a clock" : "12:00"; });
  app.tool("set_zone", fairlead::ToolOptions{.ui = {.for_model = false}},
           [](fairlead::Arg<"zone", std::string> zone) { return *zone; });
  return app.run(argc, argv);
}
