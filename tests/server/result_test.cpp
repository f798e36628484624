#include <array>
#include <cstddef>
#include <fairlead/json/schema.hpp>
#include <vector>

#include "server/harness.hpp"

namespace fairlead::server::test::result_test {
namespace {

using testing::HasSubstr;
using testing::Not;

enum class Level { ok = 0, warn = 1, bad = 5 };
enum class Flag { a = 1, b = 2 };

struct Search {
  std::string text;
  int limit = 10;
  bool exact = false;
};

struct Tree {
  std::string name;
  std::vector<Tree> children = {};
};

struct ResultTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};

  std::string definition() {
    const auto listed = json::decode<protocol::ListToolsResult>(client.body("tools/list"));
    return json::encode(listed.value().tools.at(0));
  }

  /// Expects `value` as structured content, and that it matches the output schema in this revision.
  void expect_matching_schema(const protocol::Revision& revision, const std::string& arguments,
                              const std::string& value) {
    client.set_revision(revision);
    const auto listed = json::decode<protocol::ListToolsResult>(client.body("tools/list"));
    const auto& tool = listed.value().tools.at(0);
    ASSERT_TRUE(tool.outputSchema);
    const auto result = json::decode<protocol::CallToolResult>(client.tool(tool.name, arguments));
    ASSERT_TRUE(result.value().structuredContent);
    EXPECT_EQ(result->structuredContent->text(), value);
    auto schema = json::Schema::compile(tool.outputSchema->text());
    ASSERT_TRUE(schema) << schema.error().message;
    EXPECT_TRUE(schema->validate(value).empty()) << tool.outputSchema->text();
  }
};

TEST_F(ResultTest, Finding_B1_ReturnsAnEnumeratorAfterAGap) {
  app.tool("level", "", [] { return Level::bad; });
  EXPECT_EQ(text_of(client.tool("level")), "bad");
}

TEST_F(ResultTest, Finding_B1_AnUnnamedEnumValueFailsTheTool) {
  app.tool("flags", "", [] { return static_cast<Flag>(3); });
  app.tool("list", "", [] { return std::vector<Flag>{static_cast<Flag>(3)}; });
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"flags"})"), protocol::ProtocolError::tool_failed);
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"list"})"), protocol::ProtocolError::tool_failed);
}

TEST_F(ResultTest, Finding_B3_AMemberInitialiserIsTheArgumentDefault) {
  app.tool("search", "", [](Search search) { return search.text + std::to_string(search.limit); });
  EXPECT_EQ(text_of(client.tool("search", R"({"text":"x"})")), "x10");
  EXPECT_EQ(text_of(client.tool("search", R"({"text":"x","limit":3})")), "x3");
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"search","arguments":{}})"),
            protocol::ProtocolError::bad_arguments);
  const auto tool = definition();
  EXPECT_THAT(tool, HasSubstr(R"("limit":{"type":"integer","default":10})"));
  EXPECT_THAT(tool, HasSubstr(R"("exact":{"type":"boolean","default":false})"));
  EXPECT_THAT(tool, HasSubstr(R"("required":["text"])"));
}

TEST_F(ResultTest, Finding_B3_AResultSchemaRequiresEveryMember) {
  app.tool("give", "", [] { return Search{.text = "x"}; });
  EXPECT_THAT(definition(), HasSubstr(R"("required":["text","limit","exact"]})"));
  EXPECT_THAT(definition(), Not(HasSubstr("default")));
}

TEST_F(ResultTest, Finding_B3_APromptsArgumentWithAnInitialiserIsOptional) {
  app.prompt("search", "", [](Search search) { return search.text; });
  EXPECT_THAT(client.body("prompts/list"), HasSubstr(R"({"name":"limit","required":false})"));
  EXPECT_THAT(client.body("prompts/list"), HasSubstr(R"({"name":"text","required":true})"));
}

TEST_F(ResultTest, Finding_B10_ImagesAndSoundComeFromBytes) {
  const std::vector<unsigned char> bytes = {0x89, 'P', 'N', 'G'};
  app.tool("image", "", [&] { return Image{bytes, "image/png"}; });
  app.tool("sound", "", [] { return Audio{std::string("\0\1", 2), "audio/wav"}; });
  app.tool("mixed", "", [] {
    const std::array<std::byte, 1> dot = {std::byte{0}};
    return std::vector<ContentBlock>{TextContent{.text = "a dot"}, Image{dot, "image/png"}};
  });
  app.prompt("look", "",
             [&] { return PromptMessage{.role = protocol::Role::user, .content = Image{bytes, "image/png"}}; });
  EXPECT_EQ(client.tool("image"),
            R"({"content":[{"type":"image","data":"iVBORw==","mimeType":"image/png"}],"isError":false})");
  EXPECT_THAT(client.tool("sound"), HasSubstr(R"({"type":"audio","data":"AAE=","mimeType":"audio/wav"})"));
  EXPECT_THAT(client.tool("mixed"), HasSubstr(R"({"type":"image","data":"AA==","mimeType":"image/png"})"));
  EXPECT_THAT(client.body("prompts/get", R"({"name":"look"})"), HasSubstr(R"("data":"iVBORw==")"));
  EXPECT_THAT(definition(), Not(HasSubstr("outputSchema")));
}

TEST_F(ResultTest, Finding_B11_AnEmptyOptionalMatchesItsSchema) {
  app.tool("find", "",
           [](Arg<"key", std::string> key) { return *key == "a" ? std::optional<std::string>("b") : std::nullopt; });
  expect_matching_schema(stateless(), R"({"key":"x"})", "null");
  expect_matching_schema(stateless(), R"({"key":"a"})", R"("b")");
  expect_matching_schema(handshake(), R"({"key":"x"})", R"({"result":null})");
}

TEST_F(ResultTest, Finding_B11_AListIsWrappedForOlderRevisions) {
  app.tool("list", "", [] { return std::vector<int>{1, 2}; });
  expect_matching_schema(stateless(), "{}", "[1,2]");
  expect_matching_schema(handshake(), "{}", R"({"result":[1,2]})");
}

TEST_F(ResultTest, Finding_B11_AWrappedSchemaMayBeRecursive) {
  app.tool("trees", "", [] { return std::vector<Tree>{{.name = "a", .children = {{.name = "b"}}}}; });
  const std::string value = R"([{"name":"a","children":[{"name":"b","children":[]}]}])";
  expect_matching_schema(stateless(), "{}", value);
  expect_matching_schema(handshake(), "{}", R"({"result":)" + value + "}");
}

TEST_F(ResultTest, Finding_B11_AStructIsNotWrapped) {
  app.tool("tree", "", [] { return Tree{.name = "a"}; });
  expect_matching_schema(handshake(), "{}", R"({"name":"a","children":[]})");
}

}  // namespace
}  // namespace fairlead::server::test::result_test
