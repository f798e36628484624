#include <fairlead/gateway/filter.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_filter_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr auto three_tools =
    R"({"tools":[{"name":"read_file","x":1.0},{"name":"write_file"}, {"name":"read_dir"}],"nextCursor":"n" })";

struct FilterTest : ManualClockTest {
  void serve(std::string body) {
    server.on_call = [body](Call&) { return answering(body); };
  }
};

TEST_F(FilterTest, CallsAllowedToolsOnly) {
  const auto service = chain().then(allow({.tools = {"read_*"}})).then(server);
  EXPECT_THAT(text(service, tool_call("read_file")), StartsWith("{"));
  EXPECT_THAT(text(service, tool_call("write_file")), HasSubstr("!tools/call 'write_file' is not allowed here"));
  EXPECT_EQ(server.calls.size(), 1U);
}

TEST_F(FilterTest, ListsKeepAllowedItemsByteForByte) {
  const auto service = chain().then(allow({.tools = {"read_*"}})).then(server);
  serve(three_tools);
  EXPECT_EQ(text(service, call_of("tools/list")),
            R"({"tools":[{"name":"read_file","x":1.0},{"name":"read_dir"}],"nextCursor":"n" })");
}

TEST_F(FilterTest, KeepsAListWithoutHiddenItems) {
  const auto service = chain().then(allow({.tools = {"*_*"}})).then(server);
  serve(three_tools);
  EXPECT_EQ(text(service, call_of("tools/list")), three_tools);
}

TEST_F(FilterTest, HidesAndRefusesDeniedTools) {
  const auto service = step("deny", {{"", "write_*"}}).then(server);
  EXPECT_THAT(text(service, tool_call("write_file")), HasSubstr("(step 'deny')"));
  EXPECT_THAT(text(service, tool_call("read_file")), StartsWith("{"));
  serve(three_tools);
  EXPECT_THAT(text(service, call_of("tools/list")), Not(HasSubstr("write_file")));
}

TEST_F(FilterTest, ComparesUnescapedNames) {
  const auto service = step("deny", {{"", "write_*"}}).then(server);
  EXPECT_THAT(text(service, tool_call(R"(\u0077rite_file)")), HasSubstr("is not allowed here"));
}

TEST_F(FilterTest, ATaskMayBeUsedByThoseWhoMayCallItsTool) {
  const auto task = [](const std::string& tool) {
    return call_of("tasks/get", R"({"taskId":"a/t","name":")" + tool + "\"}");
  };
  for (const auto& service : {chain().then(allow({.tools = {"read_*"}})).then(server),
                              chain().then(deny({.tools = {"write_*"}, .methods = {"tools/call"}})).then(server)}) {
    EXPECT_THAT(text(service, task("read_file")), StartsWith("{"));
    EXPECT_THAT(text(service, task("write_file")), HasSubstr("is not allowed here"));
  }
}

TEST_F(FilterTest, SkillsAreSelectedByNameWithTheirFiles) {
  const auto service = step("deny", {{"skill", "pdf"}}).then(server);
  const auto request = [&](const std::string& method, const std::string& uri) {
    return text(service, call_of(method, R"({"uri":")" + uri + "\"}"));
  };
  EXPECT_THAT(request("skills/get", "skill://acme/pdf/SKILL.md"), HasSubstr("is not allowed here"));
  EXPECT_THAT(request("resources/read", "skill://acme/pdf/forms/a.md"), HasSubstr("is not allowed here"));
  EXPECT_THAT(request("resources/directory/read", "skill://acme/pdf"), HasSubstr("is not allowed here"));
  EXPECT_THAT(request("skills/get", "skill://acme/git/SKILL.md"), StartsWith("{"));
  EXPECT_THAT(request("resources/read", "skill://acme/git/pdf.md"), StartsWith("{"));
  EXPECT_THAT(request("resources/read", "file:///pdf/a"), StartsWith("{"));
  serve(R"({"skills":[{"uri":"skill://acme/pdf/SKILL.md"},{"uri":"skill://acme/git/SKILL.md"}]})");
  EXPECT_EQ(text(service, call_of("skills/list")), R"({"skills":[{"uri":"skill://acme/git/SKILL.md"}]})");
  serve(R"({"resources":[{"uri":"skill://acme/pdf/SKILL.md"},{"uri":"file:///a"}]})");
  EXPECT_EQ(text(service, call_of("resources/list")), R"({"resources":[{"uri":"file:///a"}]})");
}

TEST_F(FilterTest, AllowedSkillsDoNotLimitOtherItems) {
  const auto service = step("allow", {{"skill", "pdf"}}).then(server);
  EXPECT_THAT(text(service, call_of("skills/get", R"({"uri":"skill://pdf/SKILL.md"})")), StartsWith("{"));
  EXPECT_THAT(text(service, call_of("skills/get", R"({"uri":"skill://pdf/git/SKILL.md"})")), StartsWith("!"));
  EXPECT_THAT(text(service, call_of("resources/read", R"({"uri":"skill://git/x.md"})")), StartsWith("!"));
  EXPECT_THAT(text(service, call_of("resources/read", R"({"uri":"file:///a"})")), StartsWith("{"));
  EXPECT_THAT(text(service, tool_call("any")), StartsWith("{"));
}

TEST_F(FilterTest, AToolLosesThePageThatIsDenied) {
  const auto service = step("deny", {{"resource", "ui://*"}}).then(server);
  serve(R"({"tools":[{"name":"t","_meta":{"ui":{"resourceUri":"ui://c/f"}}},{"name":"u"}]})");
  EXPECT_EQ(text(service, call_of("tools/list")), R"({"tools":[{"name":"t","_meta":{"ui":{}}},{"name":"u"}]})");
}

TEST_F(FilterTest, RefusesRequestsWithoutATarget) {
  const auto service = step("deny", {{"", "write_*"}}).then(server);
  EXPECT_THAT(text(service, call_of("tools/call", R"({"name":["write_file"]})")), StartsWith("!"));
  EXPECT_THAT(server.calls, IsEmpty());
}

TEST_F(FilterTest, HidesItemsWithDuplicateNames) {
  const auto service = step("deny", {{"", "write_*"}}).then(server);
  serve(R"({"tools":[{"name":"a","name":"write_file"},{"name":7},{"name":"b"}]})");
  EXPECT_EQ(text(service, call_of("tools/list")), R"({"tools":[{"name":"b"}]})");
}

TEST_F(FilterTest, MatchesMethodsByPattern) {
  const auto service = step("allow", {{"tool", "read_*"}, {"method", "tools/*"}}).then(server);
  EXPECT_THAT(text(service, call_of("resources/read", R"({"uri":"a"})")), HasSubstr("is not allowed here"));
  EXPECT_THAT(text(service, call_of("logging/setLevel")), HasSubstr("is not allowed here"));
  EXPECT_THAT(text(service, tool_call("read_file")), StartsWith("{"));
  EXPECT_THAT(text(service, call_of("ping")), StartsWith("{"));
  EXPECT_THAT(text(service, call_of("initialize")), StartsWith("{"));
}

TEST_F(FilterTest, FiltersResourcesByUri) {
  const auto service = step("allow", {{"resource", "file:///src/*"}}).then(server);
  EXPECT_THAT(text(service, call_of("resources/read", R"({"uri":"file:///src/a.c"})")), StartsWith("{"));
  for (const auto* method : {"resources/read", "resources/subscribe"}) {
    EXPECT_THAT(text(service, call_of(method, R"({"uri":"file:///etc/passwd"})")), HasSubstr("is not allowed here"));
  }
  const auto completion = R"({"ref":{"type":"ref/resource","uri":"file:///etc/passwd"},"argument":{}})";
  EXPECT_THAT(text(service, call_of("completion/complete", completion)), HasSubstr("is not allowed here"));
  EXPECT_THAT(text(service, tool_call("anything")), StartsWith("{"));
  serve(R"({"resources":[{"uri":"file:///src/a"},{"uri":"file:///etc/b"}]})");
  EXPECT_EQ(text(service, call_of("resources/list")), R"({"resources":[{"uri":"file:///src/a"}]})");
}

TEST_F(FilterTest, FiltersPromptsByName) {
  const auto service = step("deny", {{"prompt", "secret*"}}).then(server);
  EXPECT_THAT(text(service, call_of("prompts/get", R"({"name":"secret_plan"})")), HasSubstr("is not allowed here"));
  EXPECT_THAT(text(service, tool_call("secret_plan")), StartsWith("{"));
}

TEST_F(FilterTest, MatchesAnInProcessServerByName) {
  EXPECT_THAT(text(step("deny", {{"server", "ec?o"}, {"tool", "x"}}).then(server), tool_call("x")), StartsWith("!"));
  EXPECT_THAT(text(step("deny", {{"server", "other"}, {"tool", "x"}}).then(server), tool_call("x")), StartsWith("{"));
  EXPECT_THAT(text(step("deny", {{"server", "echo"}, {"tool", "x"}}).then(server), tool_call("y")), StartsWith("{"));
  EXPECT_THAT(text(step("allow", {{"server", "other"}}).then(server), tool_call("y")), StartsWith("!"));
}

TEST_F(FilterTest, KeepsAReadyReplyOrRefusesAtOnce) {
  const auto service = step("deny", {{"", "write_*"}}).then(server);
  server.quick = true;
  auto allowed = tool_call("read"), denied = tool_call("write_x");
  auto passed = service->call(allowed), refused = service->call(denied);
  ASSERT_TRUE(passed.is_ready() && refused.is_ready());
  EXPECT_TRUE(passed.take());
  EXPECT_FALSE(refused.take());
}

TEST_F(FilterTest, HiddenToolsHaveNoHeaderParams) {
  const auto service = step("deny", {{"", "write_*"}}).then(server);
  EXPECT_THAT(service->header_params("write_x", ""), IsEmpty());
  EXPECT_EQ(service->header_params("read_x", "").size(), 1U);
}

TEST_F(FilterTest, RequiresAPattern) {
  EXPECT_THAT(complaint("allow", {}), HasSubstr("tool: is missing; for example: allow(read_*, method=tools/*)"));
  EXPECT_THAT(complaint("deny", {{"tol", "x"}, {"", "y"}}), HasSubstr("unknown argument 'tol'; did you mean 'tool'?"));
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_filter_test
