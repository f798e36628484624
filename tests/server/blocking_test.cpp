#include <atomic>
#include <fairlead/server/context.hpp>
#include <fairlead/server/engine.hpp>
#include <latch>
#include <thread>

#include "server/pending_request.hpp"

namespace fairlead::server::test::blocking_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using namespace std::chrono_literals;

struct Confirm {
  bool yes = false;
};

struct BlockingTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};

  BlockingTest() {
    client.set_capabilities(R"({"elicitation":{}})");
    app.tool("sure", "", blocking([](Context& context) {
               const auto answer = context.wait(context.elicit<Confirm>("Sure?"));
               return answer.yes ? "yes" : "no";
             }));
  }
};

TEST_F(BlockingTest, HandlerReportsProgressAndLogs) {
  app.tool("work", "", blocking([](Context& context) {
             context.wait(context.progress(1, 2));
             context.wait(context.log(LoggingLevel::warning, "half"));
             context.wait(context.progress(2, 2));
             return "done";
           }));
  client.context.progress_token = jsonrpc::Id("p");
  EXPECT_EQ(text_of(client.tool("work")), "done");
  ASSERT_THAT(client.channel.notifications, SizeIs(3));
  EXPECT_EQ(client.channel.notifications[0].params, R"({"progressToken":"p","progress":1,"total":2})");
  EXPECT_EQ(client.channel.notifications[1].params, R"({"level":"warning","data":"half"})");
}

TEST_F(BlockingTest, HandlerElicitsAndWaits) {
  client.channel.answers = {R"({"action":"accept","content":{"yes":true}})"};
  EXPECT_EQ(text_of(client.tool("sure")), "yes");
}

TEST_F(BlockingTest, HandlerEndsTheRoundInTheStatelessEra) {
  client.set_revision(stateless());
  const auto reply = client.request("tools/call", R"({"name":"sure"})");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->kind, protocol::ResultKind::input_required);
}

TEST_F(BlockingTest, DeclinedElicitationThrowsInTheHandler) {
  client.channel.answers = {R"({"action":"decline"})"};
  const auto reply = client.request("tools/call", R"({"name":"sure"})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "The user declined to answer.");
}

TEST_F(BlockingTest, WaitThrowsInANonBlockingHandler) {
  app.tool("plain", "", [](Context& context) { context.wait(context.progress(1)); });
  const auto reply = client.request("tools/call", R"({"name":"plain"})");
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("co_await"));
}

TEST_F(BlockingTest, HandlerSeesCancellation) {
  std::atomic<bool> started = false;
  app.tool("wait", "", blocking([&](Context& context) {
             started = true;
             while (!context.cancelled()) std::this_thread::yield();
             return "stopped";
           }));
  FakePeerChannel channel;
  PendingRequest waiting(app, channel, "tools/call", R"({"name":"wait"})", handshake());
  while (!started) std::this_thread::yield();
  waiting.cancel();
  waiting.finish();
  EXPECT_TRUE(waiting.ended());
}

TEST_F(BlockingTest, CancellationWakesAWaitingHandler) {
  std::atomic<int> woken = 0;
  app.tool("ask", "", blocking([&](Context& context) {
             for (int i = 0; i < 2; ++i) {
               try {
                 context.wait(context.roots());
               } catch (const Failed& failed) {
                 if (failed.error().kind == ErrorKind::cancelled) ++woken;
               }
             }
           }));
  SilentPeerChannel channel;
  session::Call call{.method = "tools/call", .params = Payload::trusted(R"({"name":"ask"})")};
  call.context.revision = &handshake();
  protocol::ClientIdentity caller;
  caller.capabilities.roots.emplace();
  call.context.caller = std::make_shared<const protocol::ClientIdentity>(caller);
  call.context.peer = &channel;
  PolledLoop polled;
  polled.start(
      [](Server& server, session::Call& requested) -> Task<void> { co_await server.call(requested); }(app, call));
  while (!channel.requested) polled.poll();
  polled.cancel();
  polled.finish();
  EXPECT_EQ(woken, 2);
}

TEST_F(BlockingTest, ControlMessagesBypassBusyHandlers) {
  std::atomic<int> running = 0;
  std::latch release(1);
  app.blocking_threads(1, 8);
  app.tool("block", "", blocking([&] {
             ++running;
             release.wait();
             return "released";
           }));
  Engine engine(app);
  for (const char* id : {"1", "2", "3"}) {
    engine.feed(std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"method":"tools/call","params":{"name":"block"}})" +
                "\n");
  }
  while (running == 0) std::this_thread::yield();
  engine.feed(R"({"jsonrpc":"2.0","id":4,"method":"ping"})"
              "\n"
              R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})"
              "\n"
              R"({"jsonrpc":"2.0","id":5,"method":"tools/list"})"
              "\n");
  const auto meanwhile = engine.take_output();
  EXPECT_THAT(meanwhile, AllOf(HasSubstr(R"("id":4,"result":{})"), HasSubstr(R"("id":5,"result":{"tools")")));
  EXPECT_THAT(meanwhile, Not(HasSubstr("released")));

  release.count_down();
  engine.end_input();
  std::string rest;
  while (!engine.ended()) {
    engine.wait(1min);
    rest += engine.take_output();
  }
  EXPECT_THAT(rest, AllOf(HasSubstr(R"("id":1,"result":)"), HasSubstr(R"("id":3,"result":)")));
  EXPECT_THAT(rest, Not(HasSubstr(R"("id":2)")));
  EXPECT_EQ(running, 2);
}

}  // namespace
}  // namespace fairlead::server::test::blocking_test
