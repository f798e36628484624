#include <fairlead/gateway/search.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"
#include "gateway/middleware/ranking.hpp"
#include "gateway/model/list_items.hpp"

namespace fairlead::gateway::test::middleware_search_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct SearchTest : ManualClockTest {
  SearchTest() {
    server.on_call = [](Call& call) {
      if (call.method != "tools/list") return Echo::echo(call);
      if (call.params.text() == R"({"cursor":"2"})") {
        return answering(R"({"tools":[{"name":"send_mail","description":"Sends a letter to a person"}]})");
      }
      return answering(R"({"tools":[{"name":"readFile","description":"Reads one file","inputSchema":{ "n":1.0 }},)"
                       R"({"name":"list_issues","description":"Lists the issues of a repository"}],"nextCursor":"2"})");
    };
  }
  std::string run(const std::string& tool, const std::string& arguments) {
    return text(step("search", {}).then(server), tool_call(tool, arguments));
  }
};

TEST_F(SearchTest, ReplacesTheListByThreeTools) {
  const auto listed = text(step("search", {}).then(server), call_of("tools/list"));
  std::vector<std::string> names;
  for_each_item(json::Payload::trusted(listed), ListKind::tools,
                [&](auto, const auto& name) { names.push_back(name); });
  EXPECT_THAT(names, ElementsAre("find_tools", "describe_tool", "call_tool"));
  EXPECT_THAT(listed, HasSubstr("3 tools are here"));
  EXPECT_TRUE(json::Payload::parse(listed));
}

TEST_F(SearchTest, KeepsNamedToolsInTheList) {
  EXPECT_THAT(text(step("search", {{"keep", "read*"}, {"prefix", "x_"}}).then(server), call_of("tools/list")),
              AllOf(HasSubstr(R"({"name":"readFile","description":"Reads one file","inputSchema":{ "n":1.0 }})"),
                    HasSubstr(R"("x_find_tools")"), Not(HasSubstr("issues"))));
}

TEST_F(SearchTest, FindsToolsOnAllPages) {
  EXPECT_THAT(run("find_tools", R"({"query":"read a file"})"),
              AllOf(HasSubstr("readFile"), HasSubstr(R"("isError":false)")));
  EXPECT_THAT(run("find_tools", R"({"query":"letters"})"), AllOf(HasSubstr("send_mail"), Not(HasSubstr("readFile"))));
  EXPECT_THAT(run("find_tools", R"({"query":"issue","limit":1})"), HasSubstr(R"({"tools":[{"name":"list_issues")"));
  EXPECT_THAT(run("find_tools", R"({"query":"xyzzy"})"), HasSubstr("no tool matches"));
  EXPECT_THAT(run("find_tools", "{}"), HasSubstr(R"("isError":true)"));
}

TEST_F(SearchTest, ReturnsTheDefinitionOfTheServer) {
  EXPECT_THAT(
      run("describe_tool", R"({"name":"readFile"})"),
      HasSubstr(R"("structuredContent":{"name":"readFile","description":"Reads one file","inputSchema":{ "n":1.0 }})"));
  EXPECT_THAT(run("describe_tool", R"({"name":"no"})"), HasSubstr("unknown tool 'no'; use find_tools to find names"));
}

TEST_F(SearchTest, CallsAToolWithUnchangedArguments) {
  EXPECT_EQ(
      text(step("search", {}).then(server),
           call_of("tools/call",
                   R"({"name":"call_tool","arguments":{"name":"readFile","arguments":{ "p":1.0 }},"_meta":{"a":1}})")),
      R"({"name":"readFile","arguments":{ "p":1.0 },"_meta":{"a":1}})");
  EXPECT_EQ(run("readFile", R"({"p":1})"), R"({"name":"readFile","arguments":{"p":1}})");
  EXPECT_THAT(run("call_tool", R"({"arguments":{}})"), HasSubstr("give the name of the tool to call"));
}

TEST(Ranking, SplitsNamesIntoWords) {
  EXPECT_THAT(words_of("readFile list_issues HTTP2x"), ElementsAre("read", "file", "list", "issue", "http2x"));
}

TEST(Ranking, RareWordsCountMore) {
  EXPECT_THAT(ranked("search the mail", {"search pages", "search mail", "search files", "nothing"}),
              ElementsAre(1, 0, 2));
}

TEST_F(SearchTest, Finding_S11_LimitsTheBytesOfAList) {
  const std::string description(4'000'000, 'x');
  std::size_t pages = 0;
  server.on_call = [&](Call&) {
    return answering(R"({"tools":[{"name":"t","description":")" + description + R"("}],"nextCursor":")" +
                     std::to_string(pages++) + "\"}");
  };
  EXPECT_THAT(run("find_tools", R"({"query":"read"})"),
              HasSubstr("!the answers to tools/list are too long: more than 1000 pages or 33554432 bytes"));
  EXPECT_EQ(pages, 9U);
}

TEST_F(SearchTest, Finding_S11_LimitsThePagesOfAList) {
  std::size_t pages = 0;
  server.on_call = [&](Call&) { return answering(R"({"tools":[],"nextCursor":")" + std::to_string(pages++) + "\"}"); };
  EXPECT_THAT(run("describe_tool", R"({"name":"read"})"), HasSubstr("more than 1000 pages"));
  EXPECT_EQ(pages, 1'000U);
}

TEST_F(SearchTest, Finding_S11_StopsAtARepeatedCursor) {
  std::size_t pages = 0;
  server.on_call = [&](Call&) { return ++pages, answering(R"({"tools":[{"name":"a"}],"nextCursor":"again"})"); };
  EXPECT_THAT(run("describe_tool", R"({"name":"a"})"), HasSubstr(R"("isError":false)"));
  EXPECT_EQ(pages, 2U);
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_search_test
