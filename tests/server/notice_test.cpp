#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/server/context.hpp>
#include <thread>

#include "server/harness.hpp"

namespace fairlead::server::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// A call under way, which a test can give up on.
class Underway {
 public:
  Underway(Server& server, FakeBack& back, std::string method, std::string params, const protocol::Revision& revision) {
    call_.method = std::move(method);
    call_.params = json::Payload::trusted(std::move(params));
    call_.context.revision = &revision;
    call_.context.id = 9;
    call_.context.back = &back;
    auto keep = [](Server& s, Call& c, std::optional<Result<Reply>>* out) -> Task<void> {
      out->emplace(co_await s.call(c));
    };
    boost::asio::co_spawn(
        loop_, keep(server, call_, &reply_),
        boost::asio::bind_cancellation_slot(signal_.slot(), [this](std::exception_ptr) { ended_ = true; }));
    poll();
  }
  void poll() {
    loop_.restart();
    loop_.poll();
  }
  void cancel() { signal_.emit(boost::asio::cancellation_type::terminal); }
  void finish() {
    loop_.restart();
    loop_.run();
  }
  bool ended() const { return ended_; }
  const std::optional<Result<Reply>>& reply() const { return reply_; }

 private:
  boost::asio::io_context loop_{1};
  boost::asio::cancellation_signal signal_;
  Call call_{.method = ""};
  std::optional<Result<Reply>> reply_;
  bool ended_ = false;
};

struct NoticeTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};

  NoticeTest() {
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
  client.context.caller.log_level = LoggingLevel::info;
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

TEST_F(NoticeTest, ABlockingHandlerSeesThatItsCallerGaveUp) {
  std::atomic<bool> started = false;
  app.tool("wait", "", blocking([&](Context& context) {
             started = true;
             while (!context.cancelled()) std::this_thread::yield();
             return "stopped";
           }));
  FakeBack back;
  Underway waiting(app, back, "tools/call", R"({"name":"wait"})", handshake());
  while (!started) std::this_thread::yield();
  waiting.cancel();
  waiting.finish();
  EXPECT_TRUE(waiting.ended());
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

/// A peer of the handshake era that keeps what it is told.
class FakePeer final : public session::Service {
 public:
  std::vector<std::string> told = {};

  Task<Result<Reply>> call(Call&) override { co_return fail(ErrorKind::invalid, "nothing to ask"); }
  Task<void> notify(session::Notice& notice) override {
    told.push_back(notice.method + std::string(notice.params.text()));
    co_return;
  }
};

TEST_F(NoticeTest, APeerOfTheHandshakeEraIsToldWhatItFollows) {
  app.resource("a://b", "b", [] { return "x"; });
  client.context.principal = "ann";
  client.body("resources/subscribe", R"({"uri":"a://b"})");
  FakePeer peer;
  boost::asio::io_context loop(1);
  boost::asio::cancellation_signal signal;
  session::Conversation conversation{.key = 1, .principal = "ann", .peer = peer};
  boost::asio::co_spawn(loop, app.attend(std::move(conversation)),
                        boost::asio::bind_cancellation_slot(signal.slot(), [](std::exception_ptr) {}));
  loop.poll();
  app.resource_updated("a://b");
  app.resource_updated("a://c");
  app.tool("new", "", [] {});
  app.tool("newer", "", [] {});
  loop.restart();
  loop.poll();
  EXPECT_THAT(peer.told,
              ElementsAre(R"(notifications/resources/updated{"uri":"a://b"})", "notifications/tools/list_changed"));
  signal.emit(boost::asio::cancellation_type::terminal);
  loop.restart();
  loop.run();
}

}  // namespace
}  // namespace fairlead::server::test
