#include <fairlead/server/tool.hpp>

#include <fairlead/json/dom.hpp>

#include "server/harness.hpp"

namespace fairlead::server::test::tool_test {
namespace {

using protocol::ProtocolError;
using testing::HasSubstr;
using testing::Not;

struct Query {
  Doc<std::string, "City name"> city;
  std::optional<int> days = {};
};
struct Forecast {
  double celsius = 0;
  std::string sky = {};
};
enum class Colour : std::uint8_t { red, green };

int triple(Arg<"n", int> n) {
  return 3 * n;
}

struct ToolTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};

  std::string definition() {
    const auto list = json::decode<protocol::ListToolsResult>(client.body("tools/list"));
    return json::encode(list->tools.front());
  }
};

TEST_F(ToolTest, AddsTwoNumbers_S3_11) {
  app.tool("add", "Add two integers", [](Arg<"a", int> a, Arg<"b", int> b) { return a + b; });
  EXPECT_EQ(client.tool("add", R"({"a":1,"b":2})"), R"({"content":[{"type":"text","text":"3"}],"isError":false})");
}

TEST_F(ToolTest, ListsNameDescriptionAndSchema_S3_10) {
  app.tool("add", "Add two integers", [](Arg<"a", int, "first"> a, Arg<"b", std::optional<int>>) { return *a; });
  EXPECT_EQ(definition(),
            R"({"name":"add","description":"Add two integers","inputSchema":{"type":"object","properties":{)"
            R"("a":{"type":"integer","description":"first"},"b":{"type":"integer"}},"required":["a"]}})");
}

TEST_F(ToolTest, SchemaWithoutParametersHasProperties) {
  app.tool("now", "The time", [] { return "noon"; });
  EXPECT_THAT(definition(), HasSubstr(R"("inputSchema":{"type":"object","properties":{}})"));
}

TEST_F(ToolTest, AcceptsAndReturnsAStruct) {
  app.tool("forecast", "Weather", [](Query query) { return Forecast{21.5, "clear over " + *query.city}; });
  EXPECT_EQ(client.tool("forecast", R"({"city":"Rome"})"),
            R"({"content":[{"type":"text","text":"{\"celsius\":21.5,\"sky\":\"clear over Rome\"}"}],)"
            R"("structuredContent":{"celsius":21.5,"sky":"clear over Rome"},"isError":false})");
  const auto tool = definition();
  EXPECT_THAT(tool, HasSubstr(R"("city":{"type":"string","description":"City name"})"));
  EXPECT_THAT(tool, HasSubstr(R"("outputSchema":{"type":"object","properties":{"celsius":{"type":"number"})"));
}

TEST_F(ToolTest, ReportsAllArgumentErrors) {
  app.tool("add", "", [](Arg<"a", int> a, Arg<"b", int> b) { return a + b; });
  const auto reply = client.request("tools/call", R"({"name":"add","arguments":{"b":"x"}})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(protocol::protocol_error_of(reply.error()), ProtocolError::bad_arguments);
  EXPECT_EQ(reply.error().message, "b: expected an integer, got a string; a: is required");
  EXPECT_EQ(reply.error().subject, "add");
}

TEST_F(ToolTest, RejectsADuplicateArgument) {
  app.tool("take", "", [](Arg<"a", int> a) { return *a; });
  const auto reply = client.request("tools/call", R"({"name":"take","arguments":{"a":1,"a":2}})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "a: the name appears twice");
}

TEST_F(ToolTest, ReportsAllErrorsOfAStruct) {
  app.tool("forecast", "", [](Query) { return "x"; });
  const auto reply = client.request("tools/call", R"({"name":"forecast","arguments":{"city":1,"days":"x"}})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "city: expected a string, got a number; days: expected an integer, got a string");
}

TEST_F(ToolTest, AcceptsRawAndOmittedArguments) {
  app.tool("raw", "", [](Payload arguments) { return std::string(arguments.text()); });
  EXPECT_EQ(text_of(client.body("tools/call", R"({"name":"raw"})")), "{}");
  EXPECT_EQ(text_of(client.tool("raw", R"({"x":1.0})")), R"({"x":1.0})");
}

TEST_F(ToolTest, AcceptsArgumentsAsAJsonValue) {
  app.tool("dom", "", [](boost::json::value arguments) { return arguments.as_object().size(); });
  EXPECT_EQ(text_of(client.tool("dom", R"({"x":1,"y":2})")), "2");
}

TEST_F(ToolTest, RejectsUnknownArgumentsOnlyIfConfigured) {
  app.tool("open", "", [](Arg<"a", std::optional<int>>) { return "fine"; });
  app.tool("shut", ToolOptions{.reject_unknown = true}, [](Arg<"a", std::optional<int>>) { return "fine"; });
  EXPECT_EQ(text_of(client.tool("open", R"({"z":1})")), "fine");
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"shut","arguments":{"z":1}})"), ProtocolError::bad_arguments);
}

TEST_F(ToolTest, AcceptsAFunctionAndAContextInAnyPosition) {
  app.tool("triple", "", triple);
  app.tool("who", "", [](Context& context, Arg<"n", int> n) { return context.principal() + std::to_string(*n); });
  client.context.principal = "ann";
  EXPECT_EQ(text_of(client.tool("triple", R"({"n":4})")), "12");
  EXPECT_EQ(text_of(client.tool("who", R"({"n":4})")), "ann4");
}

TEST_F(ToolTest, ReturnsContentOfAnyKind) {
  app.tool("nothing", "", [] {});
  app.tool("image", "", [] { return ImageContent{.data = "AA==", .mimeType = "image/png"}; });
  app.tool("mixed", "", [] {
    return std::vector<ContentBlock>{TextContent{.text = "a"}, ImageContent{.data = "AA==", .mimeType = "image/png"}};
  });
  app.tool("colour", "", [] { return Colour::green; });
  app.tool("list", "", [] { return std::vector<int>{1, 2}; });
  app.tool("whole", "", [] {
    CallToolResult result;
    result.isError = true;
    return result;
  });
  EXPECT_EQ(client.tool("nothing"), R"({"content":[],"isError":false})");
  EXPECT_EQ(client.tool("image"),
            R"({"content":[{"type":"image","data":"AA==","mimeType":"image/png"}],"isError":false})");
  EXPECT_EQ(
      client.tool("mixed"),
      R"({"content":[{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"}],"isError":false})");
  EXPECT_EQ(text_of(client.tool("colour")), "green");
  EXPECT_THAT(client.tool("list"), HasSubstr(R"("structuredContent":{"result":[1,2]})"));
  EXPECT_EQ(client.tool("whole"), R"({"content":[],"isError":true})");
  app.tool("silent", "", [] { return CallToolResult{}; });
  EXPECT_EQ(client.tool("silent"), R"({"content":[],"isError":false})");
}

TEST_F(ToolTest, ReturnsASingleValueAsText) {
  app.tool("int", "", [] { return -3; });
  app.tool("double", "", [] { return 0.5; });
  app.tool("bool", "", [] { return true; });
  app.tool("string", "", [] { return std::string("as \"it\" is"); });
  EXPECT_EQ(json::decode<int>(text_of(client.tool("int"))), -3);
  EXPECT_EQ(json::decode<double>(text_of(client.tool("double"))), 0.5);
  EXPECT_EQ(json::decode<bool>(text_of(client.tool("bool"))), true);
  EXPECT_EQ(text_of(client.tool("string")), "as \"it\" is");
  for (const char* name : {"int", "double", "bool", "string"}) {
    EXPECT_THAT(client.tool(name), Not(HasSubstr("structuredContent"))) << name;
  }
  EXPECT_THAT(client.body("tools/list"), Not(HasSubstr("outputSchema")));
}

TEST_F(ToolTest, AcceptsACoroutineAndAResult) {
  app.tool("co", "", [](Arg<"n", int> n) -> Task<int> { co_return n + 1; });
  app.tool("co_void", "", []() -> Task<void> { co_return; });
  app.tool("result", "", [](Arg<"n", int> n) -> Result<std::string> {
    if (n < 0) return fail(ErrorKind::invalid, "n must not be negative");
    return "good";
  });
  app.tool("co_result", "", []() -> Task<Result<Forecast>> { co_return fail(ErrorKind::invalid, "no weather today"); });
  EXPECT_EQ(text_of(client.tool("co", R"({"n":4})")), "5");
  EXPECT_EQ(client.tool("co_void"), R"({"content":[],"isError":false})");
  EXPECT_EQ(text_of(client.tool("result", R"({"n":4})")), "good");
  const auto failed = client.request("tools/call", R"({"name":"result","arguments":{"n":-1}})");
  ASSERT_FALSE(failed);
  EXPECT_EQ(protocol::protocol_error_of(failed.error()), ProtocolError::tool_failed);
  EXPECT_EQ(failed.error().message, "n must not be negative");
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"co_result"})"), ProtocolError::tool_failed);
}

TEST_F(ToolTest, ExceptionTextBecomesTheToolError) {
  app.tool("boom", "", []() -> int { throw std::runtime_error("the disk is full"); });
  app.tool("co_boom", "", []() -> Task<int> {
    throw std::runtime_error("the disk is full");
    co_return 1;
  });
  for (const char* name : {"boom", "co_boom"}) {
    const auto reply = client.request("tools/call", std::string(R"({"name":")") + name + "\"}");
    ASSERT_FALSE(reply);
    EXPECT_EQ(protocol::protocol_error_of(reply.error()), ProtocolError::tool_failed);
    EXPECT_EQ(reply.error().message, "the disk is full");
  }
}

TEST_F(ToolTest, ReturnsAProtocolError) {
  app.tool("deny", "", []() -> Result<int> {
    return std::unexpected(protocol::protocol_error(ProtocolError::resource_denied, "not yours", "file:///x"));
  });
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"deny"})"), ProtocolError::resource_denied);
}

TEST_F(ToolTest, BlockingHandlerRunsOnAnotherThread) {
  const auto here = std::this_thread::get_id();
  app.tool("slow", "", blocking([here](Arg<"n", int> n) {
             return std::this_thread::get_id() == here ? "here" : "there" + std::to_string(*n);
           }));
  EXPECT_EQ(text_of(client.tool("slow", R"({"n":7})")), "there7");
}

TEST_F(ToolTest, BlockingHandlerMayThrow) {
  app.tool("slow", "", blocking([]() -> int { throw std::runtime_error("no"); }));
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"slow"})"), ProtocolError::tool_failed);
}

TEST_F(ToolTest, RejectsAnUnregisteredTool) {
  app.tool("one", "", [] {});
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"two"})"), ProtocolError::unknown_tool);
  EXPECT_EQ(client.error_of("tools/call", R"({"arguments":{}})"), ProtocolError::invalid_params);
}

TEST_F(ToolTest, AcceptsAMoveOnlyHandler) {
  app.tool("own", "", [owned = std::make_unique<int>(5)] { return *owned; });
  EXPECT_EQ(text_of(client.tool("own")), "5");
}

TEST_F(ToolTest, ValidatesAgainstHandWrittenSchemas) {
  const auto input =
      Payload::trusted(R"({"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n","m"]})");
  const auto output = Payload::trusted(R"({"type":"object","required":["ok"]})");
  app.tool("strict", ToolOptions{.input_schema = input, .output_schema = output},
           [](Payload arguments) { return arguments; });
  EXPECT_THAT(definition(), HasSubstr(std::string(input.text())));
  const auto bad = client.request("tools/call", R"({"name":"strict","arguments":{"n":0}})");
  ASSERT_FALSE(bad);
  EXPECT_EQ(protocol::protocol_error_of(bad.error()), ProtocolError::bad_arguments);
  EXPECT_THAT(bad.error().message, HasSubstr("m: is required"));
  EXPECT_THAT(bad.error().message, HasSubstr("n: "));
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"strict","arguments":{"n":1,"m":1}})"),
            ProtocolError::tool_failed);
  EXPECT_THAT(client.tool("strict", R"({"n":1,"m":1,"ok":1})"), HasSubstr("structuredContent"));
}

TEST_F(ToolTest, FailureNeedNotMatchTheOutputSchema) {
  const auto output = Payload::trusted(R"({"type":"object","required":["ok"]})");
  app.tool("fails", ToolOptions{.output_schema = output}, [] {
    CallToolResult result;
    result.isError = true;
    return result;
  });
  app.tool("forgets", ToolOptions{.output_schema = output}, [] { return CallToolResult{}; });
  EXPECT_EQ(client.tool("fails"), R"({"content":[],"isError":true})");
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"forgets"})"), ProtocolError::tool_failed);
}

TEST_F(ToolTest, ListsToolOptions) {
  app.tool("x",
           ToolOptions{.description = "d",
                       .title = "X",
                       .annotations = protocol::ToolAnnotations{.readOnlyHint = true},
                       .icons = std::vector<protocol::Icon>{{.src = "data:,"}},
                       .meta = Payload::trusted(R"({"k":1})")},
           [] {});
  const auto tool = definition();
  EXPECT_THAT(tool, HasSubstr(R"("title":"X")"));
  EXPECT_THAT(tool, HasSubstr(R"("readOnlyHint":true)"));
  EXPECT_THAT(tool, HasSubstr(R"("icons":[{"src":"data:,"}])"));
  EXPECT_THAT(tool, HasSubstr(R"("_meta":{"k":1})"));
}

TEST(ToolRegistration, RejectsDuplicatesInvalidNamesAndSchemas) {
  Server app{"demo", "1.0"};
  app.tool("x", "", [] {}).tool(std::string(128, 'a'), "", [] {});
  app.check();
  app.handle("{}");
  EXPECT_THROW(app.tool("x", "", [] {}), std::invalid_argument);
  EXPECT_THROW(app.tool(std::string("has space"), "", [] {}), std::invalid_argument);
  EXPECT_THROW(app.tool(std::string(129, 'a'), "", [] {}), std::invalid_argument);
  EXPECT_THROW(app.tool("bad", ToolOptions{.input_schema = Payload::trusted(R"({"type":7})")}, [] {}),
               std::invalid_argument);
}

static_assert(is_tool_name("a.b-c_9") && !is_tool_name("") && !is_tool_name("a/b"));

}  // namespace
}  // namespace fairlead::server::test::tool_test
