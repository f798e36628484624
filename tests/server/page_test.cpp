#include <fairlead/server/page.hpp>

#include "server/harness.hpp"

namespace fairlead::server::test::page_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct PageTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};

  std::string mistakes() const {
    try {
      app.check();
    } catch (const std::invalid_argument& wrong) {
      return wrong.what();
    }
    return "none";
  }
};

TEST_F(PageTest, ServesAPageWithItsMimeType) {
  app.page("ui://clock/face", "<p>12:00</p>");
  EXPECT_EQ(
      client.body("resources/list"),
      R"({"resources":[{"uri":"ui://clock/face","name":"ui://clock/face","mimeType":"text/html;profile=mcp-app"}]})");
  EXPECT_EQ(client.body("resources/read", R"({"uri":"ui://clock/face"})"),
            R"({"contents":[{"uri":"ui://clock/face","mimeType":"text/html;profile=mcp-app","text":"<p>12:00</p>"}]})");
  EXPECT_THAT(client.body("initialize"), HasSubstr(R"("extensions":{"io.modelcontextprotocol/ui":{}})"));
}

TEST_F(PageTest, WritesWhatThePageMayDoInTheListAndInTheContents) {
  app.page("ui://map", "",
           {.connect = {"https://a.example"},
            .resources = {"https://b.example", "https://c.example"},
            .frames = {"https://d.example"},
            .base_uris = {"https://e.example"},
            .geolocation = true,
            .clipboard_write = true,
            .domain = "map.example",
            .border = false});
  const auto meta = HasSubstr(
      R"("_meta":{"ui":{"csp":{"connectDomains":["https://a.example"],"resourceDomains":["https://b.example",)"
      R"("https://c.example"],"frameDomains":["https://d.example"],"baseUriDomains":["https://e.example"]},)"
      R"("permissions":{"geolocation":{},"clipboardWrite":{}},"domain":"map.example","prefersBorder":false}})");
  EXPECT_THAT(client.body("resources/list"), meta);
  EXPECT_THAT(client.body("resources/read", R"({"uri":"ui://map"})"), meta);
}

TEST_F(PageTest, MarksAToolInBothSpellings) {
  app.page("ui://clock/face", "");
  app.tool("time", ToolOptions{.meta = Payload::trusted(R"({"own":1})"), .ui = {.page = "ui://clock/face"}},
           [] { return "12:00"; });
  app.tool("set", ToolOptions{.ui = {.for_model = false}}, [] { return ""; });
  app.tool("ask", ToolOptions{.ui = {.page = "ui://clock/face", .for_app = false}}, [] { return ""; });
  app.tool("plain", "", [] { return ""; });
  const auto listed = client.body("tools/list");
  EXPECT_THAT(listed,
              AllOf(HasSubstr(R"("_meta":{"own":1,"ui":{"resourceUri":"ui://clock/face","visibility":["model","app"]},)"
                              R"("ui/resourceUri":"ui://clock/face"})"),
                    HasSubstr(R"("_meta":{"ui":{"visibility":["app"]}})"), HasSubstr(R"("visibility":["model"]})")));
  EXPECT_THAT(listed.substr(listed.find(R"("plain")")), Not(HasSubstr("_meta")));
}

TEST_F(PageTest, AToolNeedsARegisteredPage) {
  app.tool("time", ToolOptions{.ui = {.page = "ui://clock/face"}}, [] { return ""; });
  EXPECT_EQ(mistakes(), "tool 'time': the page ui://clock/face is not registered; call Server::page");
  app.page("ui://clock/face", "");
  EXPECT_EQ(mistakes(), "none");
  client.body("tools/list");
  EXPECT_THROW(app.tool("late", ToolOptions{.ui = {.page = "ui://none"}}, [] { return ""; }), std::invalid_argument);
}

TEST_F(PageTest, RefusesInvalidPagesAndMarks) {
  app.page("https://clock", "").page("ui://clock", "\xff");
  app.tool("time", ToolOptions{.ui = {.for_app = false, .for_model = false}}, [] { return ""; });
  EXPECT_EQ(mistakes(),
            "page 'https://clock': the URI must start with ui://\n"
            "page 'ui://clock': the HTML is not UTF-8\n"
            "tool 'time': ui allows neither pages nor the model to call it");
}

TEST_F(PageTest, AHandlerKnowsWhetherTheClientShowsPages) {
  app.tool("shows", "", [](Context& context) { return context.shows_pages(); });
  const auto shows = [&](const std::string& extensions) {
    return text_of(client.set_capabilities(R"({"extensions":)" + extensions + "}").tool("shows"));
  };
  EXPECT_EQ(text_of(client.tool("shows")), "false");
  EXPECT_EQ(shows(R"({"io.modelcontextprotocol/ui":{"mimeTypes":["a/b","text/html;profile=mcp-app"]}})"), "true");
  EXPECT_EQ(shows(R"({"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}})"), "false");
  EXPECT_EQ(shows(R"({"io.modelcontextprotocol/ui":{"mimeTypes":1}})"), "false");
  EXPECT_EQ(shows(R"({"io.modelcontextprotocol/ui":{}})"), "false");
  EXPECT_EQ(shows("{}"), "false");
}

}  // namespace
}  // namespace fairlead::server::test::page_test
