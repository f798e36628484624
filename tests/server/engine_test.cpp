#include <fairlead/server/engine.hpp>

#include <atomic>
#include <thread>

#include "server/harness.hpp"

namespace fairlead::server::test::engine_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using namespace std::chrono_literals;

constexpr auto initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}})"
    "\n";

std::string request(int id, const std::string& method, const std::string& params = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + R"(","params":)" + params +
         "}\n";
}

constexpr auto listen =
    R"({"jsonrpc":"2.0","id":9,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})"
    "\n";

struct EngineTest : testing::Test {
  Server app{"demo", "1.0"};

  EngineTest() {
    app.tool("add", "", [](Arg<"a", int> a, Arg<"b", int> b) { return a + b; });
    app.tool("chatty", "", [](Context& context) -> Task<void> { co_await context.log(LoggingLevel::debug, "x"); });
    app.resource("a://b", "b", [] { return "x"; });
  }
};

TEST_F(EngineTest, AnswersRequestsFromFedBytes) {
  Engine engine(app);
  engine.feed(initialize);
  EXPECT_THAT(engine.take_output(), HasSubstr(R"("protocolVersion":"2025-06-18")"));
  engine.feed(request(1, "tools/call", R"({"name":"add","arguments":{"a":1,"b":2}})"));
  EXPECT_EQ(engine.take_output(),
            R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"3"}],"isError":false}})"
            "\n");
  EXPECT_EQ(engine.take_output(), "");
}

TEST_F(EngineTest, AcceptsBytesInPiecesOfAnySize) {
  Engine engine(app);
  for (const char byte : request(1, "ping")) engine.feed(std::string_view(&byte, 1));
  EXPECT_EQ(engine.take_output(), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
}

TEST_F(EngineTest, AnswersContentLengthFramingInKind) {
  Engine engine(app);
  std::string body = request(1, "ping");
  body.pop_back();
  engine.feed("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_THAT(engine.take_output(), StartsWith("Content-Length: 36\r\n\r\n"));
}

TEST_F(EngineTest, EndsAfterInputEndAndTakenOutput) {
  Engine engine(app);
  engine.feed(request(1, "ping"));
  EXPECT_FALSE(engine.ended());
  engine.end_input();
  EXPECT_FALSE(engine.ended());
  EXPECT_THAT(engine.take_output(), HasSubstr(R"("id":1)"));
  EXPECT_TRUE(engine.ended());
}

TEST_F(EngineTest, WaitsForHandlersOnOtherThreads) {
  app.tool("slow", "", blocking([] { return "done"; }));
  Engine engine(app);
  engine.feed(request(1, "tools/call", R"({"name":"slow"})"));
  engine.wait(1min);
  EXPECT_THAT(engine.take_output(), HasSubstr("done"));
}

TEST_F(EngineTest, CanBeDestroyedWhileHandlersRun) {
  std::atomic<bool> started = false;
  app.tool("endless", "", blocking([&](Context& context) {
             started = true;
             while (!context.cancelled()) std::this_thread::yield();
           }));
  {
    Engine engine(app);
    engine.feed(request(1, "tools/call", R"({"name":"endless"})"));
    while (!started) std::this_thread::yield();
  }
  EXPECT_TRUE(started);
}

TEST_F(EngineTest, BlocksHandlersWhileOutputIsFull) {
  app.tool("flood", "", [](Context& context) -> Task<void> {
    for (int i = 0; i < 100; ++i) co_await context.log(LoggingLevel::error, std::string(1000, 'x'));
  });
  Engine engine(app, {.max_output = 2000});
  engine.feed(request(1, "tools/call", R"({"name":"flood"})"));
  auto bytes = engine.take_output();
  EXPECT_LE(bytes.size(), 2000U);
  std::size_t total = 0;
  for (; !bytes.empty(); bytes = engine.take_output()) total += bytes.size();
  EXPECT_GT(total, 100'000U);
}

TEST_F(EngineTest, ServesIndependentSessions) {
  Engine one(app), two(app);
  for (auto* engine : {&one, &two}) engine->feed(initialize);
  one.feed(request(1, "logging/setLevel", R"({"level":"debug"})") +
           request(2, "resources/subscribe", R"({"uri":"a://b"})"));
  one.take_output(), two.take_output();
  app.resource_updated("a://b");
  for (auto* engine : {&one, &two}) engine->feed(request(3, "tools/call", R"({"name":"chatty"})"));
  EXPECT_THAT(one.take_output(),
              AllOf(HasSubstr("notifications/message"), HasSubstr("notifications/resources/updated")));
  EXPECT_THAT(two.take_output(), AllOf(Not(HasSubstr("notifications")), HasSubstr(R"("id":3,"result")")));
}

TEST_F(EngineTest, PassesThePrincipal) {
  app.tool("who", "", [](Context& context) { return context.principal(); });
  Engine engine(app, {.principal = "ann"});
  engine.feed(request(1, "tools/call", R"({"name":"who"})"));
  EXPECT_THAT(engine.take_output(), HasSubstr(R"("text":"ann")"));
}

TEST_F(EngineTest, SendsChangeNotificationsOnPoll) {
  Engine engine(app);
  engine.feed(initialize);
  engine.take_output();
  app.remove_tool("add");
  EXPECT_EQ(engine.take_output(), "");
  EXPECT_THAT(engine.take_output(), HasSubstr("notifications/tools/list_changed"));
}

TEST_F(EngineTest, ListenRequestCompletesAtEndOfInput) {
  Engine engine(app);
  engine.feed(listen);
  EXPECT_THAT(engine.take_output(), HasSubstr("notifications/subscriptions/acknowledged"));
  engine.end_input();
  EXPECT_THAT(
      engine.take_output(),
      HasSubstr(R"("id":9,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":9,)"
                R"("io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.0"}},"resultType":"complete"})"));
  EXPECT_TRUE(engine.ended());
}

TEST_F(EngineTest, CancelledListenRequestGetsNoNotifications) {
  Engine engine(app);
  engine.feed(listen);
  engine.take_output();
  engine.feed(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})"
              "\n");
  app.remove_tool("add");
  engine.poll();
  engine.end_input();
  EXPECT_TRUE(engine.ended());
  EXPECT_THAT(engine.take_output(), IsEmpty());
}

}  // namespace
}  // namespace fairlead::server::test::engine_test
