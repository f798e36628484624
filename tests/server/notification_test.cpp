#include <fairlead/base/asio_task.hpp>
#include <fairlead/server/context.hpp>
#include <thread>

#include "server/pending_request.hpp"

namespace fairlead::server::test::notification_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct NotificationTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};
  OpenSession session{app};

  NotificationTest() {
    client.context.session_key = 1;
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

TEST_F(NotificationTest, ProgressNeedsATokenAndOnlyIncreases) {
  client.tool("steps");
  EXPECT_THAT(client.channel.notifications, SizeIs(0));
  client.context.progress_token = jsonrpc::Id("p1");
  client.tool("steps");
  ASSERT_THAT(client.channel.notifications, SizeIs(3));
  EXPECT_EQ(client.channel.notifications[1].method, "notifications/progress");
  EXPECT_EQ(client.channel.notifications[1].params,
            R"({"progressToken":"p1","progress":1,"total":2,"message":"half"})");
}

TEST_F(NotificationTest, LogsFromTheSessionLevelInTheHandshakeEra) {
  client.tool("chatty");
  ASSERT_THAT(client.channel.notifications, SizeIs(1));
  EXPECT_EQ(client.channel.notifications[0].method, "notifications/message");
  EXPECT_EQ(client.channel.notifications[0].params, R"({"level":"warning","logger":"me","data":{"loud":1}})");
  EXPECT_EQ(client.body("logging/setLevel", R"({"level":"debug"})"), "{}");
  client.tool("chatty");
  EXPECT_THAT(client.channel.notifications, SizeIs(3));
  client.body("logging/setLevel", R"({"level":"error"})");
  client.tool("chatty");
  EXPECT_THAT(client.channel.notifications, SizeIs(3));
  EXPECT_EQ(client.error_of("logging/setLevel", R"({"level":"loud"})"), protocol::ProtocolError::invalid_params);
}

TEST_F(NotificationTest, LogsFromTheRequestLevelInTheStatelessEra) {
  client.body("logging/setLevel", R"({"level":"debug"})");
  client.set_revision(stateless());
  client.tool("chatty");
  EXPECT_THAT(client.channel.notifications, SizeIs(0));
  client.set_log_level(LoggingLevel::warning);
  client.tool("chatty");
  EXPECT_THAT(client.channel.notifications, SizeIs(1));
  client.set_log_level(LoggingLevel::error);
  client.tool("chatty");
  EXPECT_THAT(client.channel.notifications, SizeIs(1));
}

TEST_F(NotificationTest, AcknowledgesListenRequestThenSendsMatchingNotifications) {
  FakePeerChannel channel;
  app.resource("a://b", "b", [] { return "x"; });
  PendingRequest listening(
      app, channel, "subscriptions/listen",
      R"({"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["a://b"]}})",
      stateless());
  ASSERT_THAT(channel.notifications, SizeIs(1));
  EXPECT_EQ(channel.notifications[0].method, "notifications/subscriptions/acknowledged");
  EXPECT_EQ(
      channel.notifications[0].params,
      R"({"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a://b"]},"_meta":{"io.modelcontextprotocol/subscriptionId":9}})");
  app.tool("new", "", [] {});
  app.resource("a://c", "c", [] { return "x"; });
  app.resource_updated("a://c");
  app.resource_updated("a://b");
  listening.poll();
  ASSERT_THAT(channel.notifications, SizeIs(3));
  EXPECT_EQ(channel.notifications[1].method, "notifications/tools/list_changed");
  EXPECT_EQ(channel.notifications[2].method, "notifications/resources/updated");
  EXPECT_EQ(channel.notifications[2].params, R"({"uri":"a://b","_meta":{"io.modelcontextprotocol/subscriptionId":9}})");
  EXPECT_FALSE(listening.ended());
  listening.cancel();
  listening.finish();
  EXPECT_TRUE(listening.ended());
}

TEST_F(NotificationTest, DeliversChangesFromAnotherThread) {
  FakePeerChannel channel;
  PendingRequest listening(app, channel, "subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})",
                           stateless());
  std::thread([&] { app.tool("new", "", [] {}); }).join();
  listening.poll();
  EXPECT_THAT(channel.notifications, SizeIs(2));
  listening.cancel();
  listening.finish();
}

TEST_F(NotificationTest, CoroutineHandlerSeesCancellation) {
  std::vector<bool> seen;
  FakePeerChannel channel;
  app.tool("look", "", [&](Context& context) -> Task<void> {
    seen.push_back(context.cancelled());
    const auto executor = co_await this_task::executor;
    boost::asio::steady_timer never(executor, boost::asio::steady_timer::time_point::max());
    co_await never.async_wait(boost::asio::as_tuple(use_task));
    seen.push_back(context.cancelled());
  });
  PendingRequest call(app, channel, "tools/call", R"({"name":"look"})", handshake());
  EXPECT_THAT(seen, ElementsAre(false));
  call.cancel();
  call.finish();
  EXPECT_THAT(seen, ElementsAre(false, true));
}

TEST_F(NotificationTest, AcknowledgesOnlyVisibleResources) {
  FakePeerChannel channel;
  app.resource("a://b", "b", [] { return "x"; });
  app.resource("a://secret", "s", [] { return "x"; });
  app.resource<"t://{x}">("t", [](Arg<"x", std::string> x) { return *x; });
  app.visible(
      [](EntryKind, std::string_view name, std::string_view who) { return name != "a://secret" || who == "ann"; });
  const std::string filter =
      R"({"notifications":{"resourceSubscriptions":["a://b","a://none","a://secret","t://any"],"promptsListChanged":true}})";
  PendingRequest listening(app, channel, "subscriptions/listen", filter, stateless());
  PendingRequest anns(app, channel, "subscriptions/listen", filter, stateless(), "ann");
  ASSERT_THAT(channel.notifications, SizeIs(2));
  EXPECT_THAT(channel.notifications[0].params,
              HasSubstr(R"({"notifications":{"resourceSubscriptions":["a://b","t://any"]})"));
  EXPECT_THAT(channel.notifications[1].params, HasSubstr(R"(["a://b","a://secret","t://any"])"));
  listening.close_peer();
  anns.close_peer();
}

TEST_F(NotificationTest, SkipsHiddenEntriesForAListenRequest) {
  FakePeerChannel channel;
  app.visible([](EntryKind, std::string_view name, std::string_view) { return !name.starts_with("secret"); });
  PendingRequest listening(app, channel, "subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})",
                           stateless());
  app.tool("secret1", "", [] {});
  listening.poll();
  EXPECT_THAT(channel.notifications, SizeIs(1));
  app.tool("open", "", [] {});
  listening.poll();
  EXPECT_THAT(channel.notifications, SizeIs(2));
  listening.close_peer();
}

TEST_F(NotificationTest, ListenRequestEndsWithItsSubscriptionId) {
  FakePeerChannel channel;
  PendingRequest listening(app, channel, "subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})",
                           stateless());
  app.tool("new", "", [] {});
  EXPECT_FALSE(listening.reply());
  listening.close_peer();
  ASSERT_TRUE(listening.reply());
  ASSERT_TRUE(*listening.reply());
  EXPECT_EQ((*listening.reply())->body.text(), R"({"_meta":{"io.modelcontextprotocol/subscriptionId":9}})");
  EXPECT_EQ((*listening.reply())->kind, protocol::ResultKind::complete);
}

}  // namespace
}  // namespace fairlead::server::test::notification_test
