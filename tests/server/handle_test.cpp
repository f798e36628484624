#include <fairlead/server.hpp>

#include "server/harness.hpp"

namespace fairlead::server::test::handle_test {
namespace {

using testing::HasSubstr;

struct HandleTest : testing::Test {
  Server app{"demo", "1.0"};

  HandleTest() {
    app.tool("add", "", [](Arg<"a", int> a, Arg<"b", int> b) { return a + b; });
    app.tool("boom", "", []() -> int { throw std::runtime_error("full"); });
    app.resource("a://b", "b", []() -> std::string { throw std::runtime_error("secret"); });
  }

  std::string request(const std::string& method, const std::string& members, const std::string& version = "2026-07-28",
                      const std::string& principal = {}) {
    return app.handle(R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":{)" + members +
                          R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + version +
                          R"(","io.modelcontextprotocol/clientCapabilities":{}}}})",
                      principal);
  }
};

TEST_F(HandleTest, AnswersOneRequest) {
  EXPECT_EQ(
      request("tools/call", R"("name":"add","arguments":{"a":1,"b":2},)"),
      R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"3"}],"isError":false,"resultType":"complete",)"
      R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.0"}}}})");
}

TEST_F(HandleTest, ListsCarryCacheHints) {
  EXPECT_THAT(request("tools/list", ""), HasSubstr(R"("ttlMs":0,"cacheScope":"private")"));
}

TEST_F(HandleTest, ToolFailuresAreResults) {
  EXPECT_THAT(request("tools/call", R"("name":"boom",)"),
              HasSubstr(R"("content":[{"type":"text","text":"full"}],"isError":true)"));
  EXPECT_THAT(
      request("tools/call", R"("name":"add","arguments":{"a":"x"},)"),
      HasSubstr(R"({"type":"text","text":"a: expected an integer, got a string; b: is required"}],"isError":true)"));
}

TEST_F(HandleTest, HidesExceptionTextOfResources) {
  const auto answer = request("resources/read", R"("uri":"a://b",)");
  EXPECT_THAT(answer, HasSubstr("-32603"));
  EXPECT_THAT(answer, testing::Not(HasSubstr("secret")));
}

TEST_F(HandleTest, MapsErrorsToCodes) {
  EXPECT_THAT(app.handle("{"), HasSubstr("-32700"));
  EXPECT_THAT(app.handle("[]"), HasSubstr("-32600"));
  EXPECT_THAT(app.handle(R"([{"jsonrpc":"2.0","id":1,"method":"tools/list"}])"), HasSubstr("-32600"));
  EXPECT_THAT(app.handle(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"), HasSubstr("-32602"));
  EXPECT_THAT(request("tools/list", "", "1999-01-01"), HasSubstr(R"("code":-32022)"));
  EXPECT_THAT(request("tools/list", "", "1999-01-01"),
              HasSubstr(R"("supported":["2026-07-28"],"requested":"1999-01-01")"));
  EXPECT_THAT(request("initialize", ""), HasSubstr("-32601"));
  EXPECT_THAT(request("prompts/list", ""), HasSubstr("-32601"));
  EXPECT_THAT(request("tools/call", R"("name":"none",)"), HasSubstr("-32602"));
  EXPECT_THAT(request("resources/read", R"("uri":"a://none",)"), HasSubstr(R"("data":{"uri":"a://none"})"));
}

TEST_F(HandleTest, PassesThePrincipalToTheHandler) {
  app.tool("who", "", [](Context& context) { return context.principal(); });
  EXPECT_THAT(request("tools/call", R"("name":"who",)", "2026-07-28", "ann"), HasSubstr(R"("text":"ann")"));
}

TEST_F(HandleTest, RunsBlockingHandlers) {
  app.tool("slow", "", blocking([](Context& context) {
             context.wait(context.progress(1));
             return "done";
           }));
  EXPECT_THAT(request("tools/call", R"("name":"slow",)"), HasSubstr(R"("text":"done")"));
}

TEST_F(HandleTest, ReturnsNothingForANotification) {
  EXPECT_EQ(app.handle(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"), "");
}

}  // namespace
}  // namespace fairlead::server::test::handle_test
