#include <fairlead/gateway/lua.hpp>
#include <fstream>
#include <sstream>

#include "gateway/fixtures/config_reader.hpp"
#include "gateway/fixtures/manual_clock_fixture.hpp"

// Compares the middleware pages with the registry.
namespace fairlead::gateway::test::middleware_docs_test {
namespace {

using testing::HasSubstr;

std::string middleware_page(const std::string& name) {
  std::ifstream file(FAIRLEAD_SOURCE_DIR "/docs/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> code_blocks(const std::string& text, const std::string& language) {
  const auto fence = "```" + language + "\n";
  std::vector<std::string> found;
  for (auto at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    found.push_back(text.substr(at, text.find("```", at) - at));
  }
  return found;
}

struct MiddlewarePages : ManualClockTest {
  const std::string guide = middleware_page("middleware.md");
  const std::string standard = middleware_page("middleware/standard.md");
};

TEST_F(MiddlewarePages, DescribeEachMiddlewareAndNoOthers) {
  std::size_t sections = 0;
  for (auto at = standard.find("\n## `"); at != std::string::npos; at = standard.find("\n## `", at + 1)) ++sections;
  const auto registry = Registry::standard();
  EXPECT_EQ(sections, registry.entries().size());
  for (const auto& [name, entry] : registry.entries()) {
    EXPECT_THAT(standard, HasSubstr("\n## `" + name + "`\n"));
    EXPECT_THAT(guide, HasSubstr("`" + name + "("));
    EXPECT_EQ(entry.usage.substr(0, name.size() + 1), name + "(");
  }
}

TEST_F(MiddlewarePages, ContainValidStepsOnly) {
  std::size_t steps = 0;
  for (const auto& block : code_blocks(guide + standard, "yaml")) {
    const auto loaded = read_text(block);
    ASSERT_TRUE(loaded) << block << loaded.error().message;
    for (const auto& step : loaded->config.chain) {
      ++steps;
      const auto made = Registry::standard().make(step.name, step.arguments, loop());
      EXPECT_TRUE(made || made.error().message.find("guard.lua cannot be read") != std::string::npos) << block;
    }
  }
  EXPECT_GT(steps, 20U);
}

TEST_F(MiddlewarePages, AListIsReadAsSeveralArguments) {
  const auto file = read_text("chain:\n  - stdio\n  - allow: {tool: [a, 'b*'], method: tools/*}\n  - stdio:x\n");
  const auto line = read_pipe("stdio | allow(tool=a, tool=b*, method=tools/*) | stdio:x", test_options());
  ASSERT_TRUE(file && line);
  EXPECT_EQ(file->config.chain, line->config.chain);
  EXPECT_EQ(file->config.chain[0].arguments.size(), 3U);
}

TEST_F(MiddlewarePages, ShowAScriptThatWorks) {
  const auto scripts = code_blocks(guide, "lua");
  ASSERT_EQ(scripts.size(), 1U);
  auto made = lua_script("guard.lua", scripts[0], loop());
  ASSERT_TRUE(made) << made.error().message;
  const auto service = chain().then(std::shared_ptr<Middleware>(std::move(*made))).then(server);
  EXPECT_EQ(text(service, tool_call("query", R"({"sql":"DROP TABLE users"})")), "!dropping tables is not allowed");
  EXPECT_EQ(text(service, tool_call("query", R"({"sql": "select 1"})")),
            R"({"name":"query","arguments":{"sql": "select 1"}})");
  server.on_call = [](Call&) {
    return answering(R"({"tools":[{"name":"query","description":"SQL"},{ "name":"b" }]})");
  };
  EXPECT_EQ(text(service, call_of("tools/list")),
            R"({"tools":[{"name":"query","description":"Reads the database. Never drops a table."},{ "name":"b" }]})");
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_docs_test
