#include <fairlead/gateway/rename.hpp>

#include <fairlead/gateway/describe.hpp>
#include <fairlead/gateway/filter.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_rename_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct RenameTest : ManualClockTest {
  std::string list_through(const Chain& chain, std::string tools) {
    server.on_call = [tools = std::move(tools)](Call&) {
      return answering(R"({"tools":[)" + tools + R"(], "x": 1 })");
    };
    return text(chain.then(server), call_of("tools/list"));
  }
};

TEST_F(RenameTest, CallsTheToolByItsOwnName) {
  const auto service = step("rename", {{"search", "find"}}).then(server);
  EXPECT_EQ(text(service, call_of("tools/call", R"({ "name": "find", "arguments":{"n":1.0} })")),
            R"({ "name": "search", "arguments":{"n":1.0} })");
  EXPECT_EQ(text(service, tool_call("other")), R"({"name":"other","arguments":{}})");
}

TEST_F(RenameTest, TasksNameTheirToolByItsOwnNameToo) {
  const auto service = step("rename", {{"search", "find"}}).then(server);
  EXPECT_EQ(text(service, call_of("tasks/get", R"({"taskId":"t","name":"find"})")),
            R"({"taskId":"t","name":"search"})");
}

TEST_F(RenameTest, OnlyTheNameChangesInAList) {
  EXPECT_EQ(list_through(step("rename", {{"search", "find"}}), R"({ "name" : "search", "n": 1.50 },{"name":"b"})"),
            R"({"tools":[{ "name" : "find", "n": 1.50 },{"name":"b"}], "x": 1 })");
}

TEST_F(RenameTest, AStarKeepsTheRestOfTheName) {
  const auto made = step("rename", {{"", "github_*=gh_*"}});
  EXPECT_EQ(text(made.then(server), tool_call("gh_issues")), R"({"name":"github_issues","arguments":{}})");
  EXPECT_EQ(list_through(made, R"({"name":"github_issues"})"), R"({"tools":[{"name":"gh_issues"}], "x": 1 })");
}

TEST_F(RenameTest, RefusesTheOldName) {
  const auto service = chain().then(deny({.tools = {"find"}})).then(*rename({{"search", "find"}})).then(server);
  EXPECT_THAT(text(service, tool_call("search")), StartsWith("!"));
  EXPECT_THAT(text(service, tool_call("find")), StartsWith("!"));
  EXPECT_THAT(server.calls, IsEmpty());
}

TEST_F(RenameTest, SwapsNames) {
  const auto made = chain().then(*rename({{"a", "b"}, {"b", "a"}}));
  EXPECT_EQ(list_through(made, R"({"name":"a"},{"name":"b"})"), R"({"tools":[{"name":"b"},{"name":"a"}], "x": 1 })");
  server.on_call = nullptr;
  EXPECT_EQ(text(made.then(server), tool_call("a")), R"({"name":"b","arguments":{}})");
}

TEST_F(RenameTest, HidesAToolWhoseNameIsTaken) {
  EXPECT_EQ(list_through(chain().then(*rename({{"a", "b"}})), R"({"name":"a"},{"name":"b"})"),
            R"({"tools":[{"name":"b"}], "x": 1 })");
}

TEST_F(RenameTest, RestoresTheCallAfterwards) {
  auto call = tool_call("find");
  const auto service = chain().then(*rename({{"search", "find"}})).then(server);
  fairlead::test::TestLoop real;
  real.run(service->call(call));
  EXPECT_THAT(std::string(call.params.text()), HasSubstr("find"));
}

TEST_F(RenameTest, FindsHeaderParamsByTheNewName) {
  const auto service = chain().then(*rename({{"search", "find"}})).then(server);
  ASSERT_EQ(service->header_params("find", "").size(), 1U);
  EXPECT_EQ(service->header_params("find", "")[0].path[0], "search");
  EXPECT_THAT(service->header_params("search", ""), IsEmpty());
}

TEST_F(RenameTest, RefusesMismatchedPatterns) {
  EXPECT_FALSE(rename({{"a*", "b"}}));
  EXPECT_FALSE(rename({{"a*b*", "c*d*"}}));
  EXPECT_THAT(complaint("rename", {{"", "search"}}), HasSubstr("expected name=value, got 'search'"));
  EXPECT_THAT(complaint("rename", {{"a", "b"}, {"a", "c"}}), HasSubstr("a: is given twice"));
  EXPECT_THAT(complaint("rename", {}), HasSubstr("name: is missing"));
}

TEST_F(RenameTest, DescriptionsCanBeReplacedOrContinued) {
  const auto made = step("describe", {{"a", "New \"words\""}, {"", "git_*=Old: {}"}});
  EXPECT_EQ(list_through(
                made, R"({"name":"a","description":"x","n":1.0},{"name":"git_x","description":"Said"},{"name":"c"})"),
            R"({"tools":[{"name":"a","description":"New \"words\"","n":1.0},)"
            R"({"name":"git_x","description":"Old: Said"},{"name":"c"}], "x": 1 })");
  EXPECT_EQ(list_through(made, R"({"name":"a"})"),
            R"({"tools":[{"name":"a","description":"New \"words\""}], "x": 1 })");
}

TEST_F(RenameTest, DescribingTouchesNothingElse) {
  const auto service = chain().then(describe({{"*", "x"}})).then(server);
  EXPECT_EQ(text(service, tool_call("a")), R"({"name":"a","arguments":{}})");
  server.quick = true;
  auto call = tool_call("a");
  EXPECT_TRUE(service->call(call).is_ready());
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_rename_test
