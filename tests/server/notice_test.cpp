#include <fairlead/server/context.hpp>
#include <thread>

#include "server/underway.hpp"

namespace fairlead::server::test::notice_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct NoticeTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};
  Attended conversation{app};

  NoticeTest() {
    client.context.conversation = 1;
    app.tool("chatty", "", [](Context& context) -> Task<void> {
      co_await context.log(LoggingLevel::debug, "quiet");
      co_await context.log(LoggingLevel::warning, Payload::trusted(R"({"loud":1})"), "me");
    });
    app.tool("steps", "", [](Context& context) -> Task<void> {
      co_await context.progress(0, 2);
      co_await context.progress(1, 2, "half");
      co_await context.progress(1, 2, "not more than before");
      co_await context.progress(2, 2);
    });
  }
};

TEST_F(NoticeTest, ProgressIsToldToThoseWhoAskedAndOnlyGrows) {
  client.tool("steps");
  EXPECT_THAT(client.back.told, SizeIs(0));
  client.context.progress_token = jsonrpc::Id("p1");
  client.tool("steps");
  ASSERT_THAT(client.back.told, SizeIs(3));
  EXPECT_EQ(client.back.told[1].method, "notifications/progress");
  EXPECT_EQ(client.back.told[1].params, R"({"progressToken":"p1","progress":1,"total":2,"message":"half"})");
}

TEST_F(NoticeTest, TheHandshakeEraLogsFromTheLevelThatWasSet) {
  client.tool("chatty");
  ASSERT_THAT(client.back.told, SizeIs(1));
  EXPECT_EQ(client.back.told[0].method, "notifications/message");
  EXPECT_EQ(client.back.told[0].params, R"({"level":"warning","logger":"me","data":{"loud":1}})");
  EXPECT_EQ(client.body("logging/setLevel", R"({"level":"debug"})"), "{}");
  client.tool("chatty");
  EXPECT_THAT(client.back.told, SizeIs(3));
  client.body("logging/setLevel", R"({"level":"error"})");
  client.tool("chatty");
  EXPECT_THAT(client.back.told, SizeIs(3));
  EXPECT_EQ(client.fault("logging/setLevel", R"({"level":"loud"})"), protocol::Fault::invalid_params);
}

TEST_F(NoticeTest, TheStatelessEraLogsWhatTheRequestAskedFor) {
  client.body("logging/setLevel", R"({"level":"debug"})");
  client.speaks(stateless());
  client.tool("chatty");
  EXPECT_THAT(client.back.told, SizeIs(0));
  client.wants(LoggingLevel::warning);
  client.tool("chatty");
  EXPECT_THAT(client.back.told, SizeIs(1));
  client.wants(LoggingLevel::error);
  client.tool("chatty");
  EXPECT_THAT(client.back.told, SizeIs(1));
}

TEST_F(NoticeTest, AListenerIsAcknowledgedFirstAndToldWhatItAskedFor) {
  FakeBack back;
  app.resource("a://b", "b", [] { return "x"; });
  Underway listening(
      app, back, "subscriptions/listen",
      R"({"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["a://b"]}})",
      stateless());
  ASSERT_THAT(back.told, SizeIs(1));
  EXPECT_EQ(back.told[0].method, "notifications/subscriptions/acknowledged");
  EXPECT_EQ(
      back.told[0].params,
      R"({"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a://b"]},"_meta":{"io.modelcontextprotocol/subscriptionId":9}})");
  app.tool("new", "", [] {});
  app.resource("a://c", "c", [] { return "x"; });
  app.resource_updated("a://c");
  app.resource_updated("a://b");
  listening.poll();
  ASSERT_THAT(back.told, SizeIs(3));
  EXPECT_EQ(back.told[1].method, "notifications/tools/list_changed");
  EXPECT_EQ(back.told[2].method, "notifications/resources/updated");
  EXPECT_EQ(back.told[2].params, R"({"uri":"a://b","_meta":{"io.modelcontextprotocol/subscriptionId":9}})");
  EXPECT_FALSE(listening.ended());
  listening.cancel();
  listening.finish();
  EXPECT_TRUE(listening.ended());
}

TEST_F(NoticeTest, ChangesFromAnotherThreadReachAListener) {
  FakeBack back;
  Underway listening(app, back, "subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})", stateless());
  std::thread([&] { app.tool("new", "", [] {}); }).join();
  listening.poll();
  EXPECT_THAT(back.told, SizeIs(2));
  listening.cancel();
  listening.finish();
}

TEST_F(NoticeTest, ACoroutineSeesThatItsCallerGaveUp) {
  std::vector<bool> seen;
  FakeBack back;
  app.tool("look", "", [&](Context& context) -> Task<void> {
    seen.push_back(context.cancelled());
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::steady_timer never(executor, boost::asio::steady_timer::time_point::max());
    co_await never.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    seen.push_back(context.cancelled());
  });
  Underway call(app, back, "tools/call", R"({"name":"look"})", handshake());
  EXPECT_THAT(seen, ElementsAre(false));
  call.cancel();
  call.finish();
  EXPECT_THAT(seen, ElementsAre(false, true));
}

TEST_F(NoticeTest, AListenerIsPromisedNothingThatIsNotThereForIt) {
  FakeBack back;
  app.resource("a://b", "b", [] { return "x"; });
  app.resource("a://secret", "s", [] { return "x"; });
  app.resource<"t://{x}">("t", [](Arg<"x", std::string> x) { return *x; });
  app.visible([](Kind, std::string_view name, std::string_view who) { return name != "a://secret" || who == "ann"; });
  const std::string asked =
      R"({"notifications":{"resourceSubscriptions":["a://b","a://none","a://secret","t://any"],"promptsListChanged":true}})";
  Underway listening(app, back, "subscriptions/listen", asked, stateless());
  Underway anns(app, back, "subscriptions/listen", asked, stateless(), "ann");
  ASSERT_THAT(back.told, SizeIs(2));
  EXPECT_THAT(back.told[0].params, HasSubstr(R"({"notifications":{"resourceSubscriptions":["a://b","t://any"]})"));
  EXPECT_THAT(back.told[1].params, HasSubstr(R"(["a://b","a://secret","t://any"])"));
  listening.hang_up();
  anns.hang_up();
}

TEST_F(NoticeTest, AListenerIsNotToldOfWhatItCannotSee) {
  FakeBack back;
  app.visible([](Kind, std::string_view name, std::string_view) { return !name.starts_with("secret"); });
  Underway listening(app, back, "subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})", stateless());
  app.tool("secret1", "", [] {});
  listening.poll();
  EXPECT_THAT(back.told, SizeIs(1));
  app.tool("open", "", [] {});
  listening.poll();
  EXPECT_THAT(back.told, SizeIs(2));
  listening.hang_up();
}

TEST_F(NoticeTest, AListenersLastWordIsAResultThatSaysWhoseItIs) {
  FakeBack back;
  Underway listening(app, back, "subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})", stateless());
  app.tool("new", "", [] {});
  EXPECT_FALSE(listening.reply());
  listening.hang_up();
  ASSERT_TRUE(listening.reply());
  ASSERT_TRUE(*listening.reply());
  EXPECT_EQ((*listening.reply())->body.text(), R"({"_meta":{"io.modelcontextprotocol/subscriptionId":9}})");
  EXPECT_EQ((*listening.reply())->kind, protocol::ResultKind::complete);
}

}  // namespace
}  // namespace fairlead::server::test::notice_test
