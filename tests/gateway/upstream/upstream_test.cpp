#include "gateway/fixtures/upstream_fixture.hpp"

namespace fairlead::gateway::test {
namespace {

using namespace std::chrono_literals;
using session::Call;
using session::Reply;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(UpstreamTest, Complaint_18_ProgressExtendsALongCall) {
  options.timeouts = {.idle = 30s, .total = 10min};
  const auto slow = call("slow");
  for (int i = 0; i < 8; ++i) {
    manual.pass(20s);
    work();
    EXPECT_FALSE(slow->done()) << "after " << 20 * (i + 1) << " s";
  }
  EXPECT_THAT(back.notifications, SizeIs(8)) << "each progress notification is forwarded";
  EXPECT_THAT(back.notifications.front(), HasSubstr(R"("progressToken":"p")"));
  finished = true;
  work();
  EXPECT_THAT(text(slow), HasSubstr("done"));
}

TEST_F(UpstreamTest, Complaint_18_TimesOutWithoutProgressAndAtTheTotalTimeout) {
  options.timeouts = {.idle = 30s, .total = 1min};
  const auto silent = call("slow");
  manual.pass(31s);
  EXPECT_THAT(text(silent), AllOf(HasSubstr("did not answer tools/call 'slow' within 30.0 s"), HasSubstr("unknown")));
  const auto busy = call("slow");
  for (int i = 0; i < 4; ++i) {
    manual.pass(16s);
    work();
  }
  EXPECT_TRUE(busy->done());
}

TEST_F(UpstreamTest, LimitsCallsInFlightAndInTheQueue) {
  options.max_in_flight = 1;
  options.max_waiting = 2;
  const auto one = call("slow"), two = call("quick"), three = call("quick"), four = call("quick");
  EXPECT_FALSE(two->done() || three->done());
  EXPECT_THAT(text(four), HasSubstr("is busy: 2 calls are waiting for it; try again later"));
  EXPECT_THAT(four->value->error().data, HasSubstr(R"("outcome":"not made")"));
  finished = true;
  work();
  EXPECT_THAT(text(one), HasSubstr("done"));
  EXPECT_THAT(text(three), HasSubstr("here"));
}

TEST_F(UpstreamTest, CancellingAQueuedCallRemovesIt) {
  options.max_in_flight = 1;
  const auto one = call("slow");
  const auto two = call("quick");
  manual.give_up(two);
  EXPECT_TRUE(two->done());
  finished = true;
  work();
  EXPECT_THAT(text(call("quick")), HasSubstr("here")) << "its slot is free";
}

TEST_F(UpstreamTest, CancellingACallDuringAServerRequestCleansUp) {
  const auto asking = call("ask");
  ASSERT_THAT(back.requests, ElementsAre("roots/list"));
  manual.give_up(asking);
  EXPECT_TRUE(asking->done());
  EXPECT_EQ(server().state().in_flight, 0U);
  EXPECT_THAT(text(call("quick", 2)), HasSubstr("here")) << "other calls are not blocked";
}

TEST_F(UpstreamTest, SurvivesAnExceptionInAProgressReceiver) {
  auto made = call_in("2025-11-25", "tools/call", R"({"name":"slow","arguments":{}})");
  made.timeouts = session::Timeouts::endless();
  made.context.progress_token = jsonrpc::Id("p");
  struct Throwing final : session::PeerChannel {
    Task<Result<Reply>> request(std::string, json::Payload) override { throw std::runtime_error("broken"); }
    Task<Result<void>> notify(std::string, json::Payload) override { throw std::runtime_error("broken"); }
  } throwing;
  made.context.peer = &throwing;
  const auto broken = manual.start(calling(&server(), std::move(made)));
  work();
  finished = true;
  work();
  EXPECT_THAT(text(broken), HasSubstr("done"));
  EXPECT_TRUE(manual.log().contains("could not be sent to a client: broken"));
  EXPECT_THAT(text(call("quick", 2)), HasSubstr("here"));
}

/// The app with overrides by the test.
struct OtherServer final : session::Service {
  OtherServer(session::Service& rest, boost::asio::any_io_executor executor) : app(rest), never(std::move(executor)) {}

  Task<Result<Reply>> call(Call& call) override {
    if (call.method == silent_on) {
      while (true) co_await never.wait();
    }
    if (call.method == "tools/call" && !asks_with.empty()) {
      co_return Reply{.body = json::Payload::trusted(asks_with), .kind = protocol::ResultKind::input_required};
    }
    co_return co_await app.call(call);
  }
  Task<void> notify(session::Notification& notice) override { return app.notify(notice); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef with) override {
    client.emplace(std::move(with));
    return nullptr;
  }
  const protocol::Implementation* server_info() const override { return app.server_info(); }

  static Task<void> asking(session::PeerHandle peer, std::shared_ptr<std::optional<Result<Reply>>> answer) {
    Call question{.method = "roots/list"};
    *answer = co_await peer->call(question);
  }
  /// Sends a request outside of calls.
  std::shared_ptr<std::optional<Result<Reply>>> send_request() {
    auto answer = std::make_shared<std::optional<Result<Reply>>>();
    client->tasks.spawn(asking(client->peer, answer));
    return answer;
  }

  session::Service& app;
  AsyncEvent never;
  std::string silent_on = {};
  std::string asks_with = {};
  std::optional<session::SessionRef> client;
};

TEST_F(UpstreamTest, Finding_S14_PausesTheIdleTimeoutDuringAServerRequest) {
  for (const auto* revision : {"2025-11-25", "2026-07-28"}) {
    if (upstream) manual.run(upstream->stop());
    upstream.reset();
    back.answer.reset();
    options.client.revision = revision;
    options.timeouts = {.idle = 30s, .total = 10min};
    const auto requests = call("ask");
    for (int i = 0; i < 8; ++i) manual.pass(29s);
    EXPECT_FALSE(requests->done()) << revision << ": " << text(requests);
    back.reply(R"({"roots":[]})");
    manual.poll();
    EXPECT_THAT(text(requests), HasSubstr("0")) << revision;
  }
}

TEST_F(UpstreamTest, Finding_S14_EnforcesMaxTimeDuringAServerRequest) {
  for (const auto* revision : {"2025-11-25", "2026-07-28"}) {
    if (upstream) manual.run(upstream->stop());
    upstream.reset();
    options.client.revision = revision;
    options.timeouts = {.idle = 30s, .total = 2min};
    const auto requests = call("ask");
    for (int i = 0; i < 4; ++i) manual.pass(29s);
    EXPECT_FALSE(requests->done()) << revision << ": " << text(requests);
    manual.pass(5s);
    EXPECT_THAT(text(requests),
                AllOf(HasSubstr("did not finish tools/call 'ask' within 120.0 s"), HasSubstr("max_time")))
        << revision;
  }
}

TEST_F(UpstreamTest, Finding_P6_DoesNotForwardAnInputRequestTheClientDidNotDeclare) {
  OtherServer nosy(app, manual.loop().executor);
  nosy.asks_with =
      R"({"inputRequests":{"k":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}},)"
      R"("requestState":"s"})";
  other = &nosy;
  options.client.revision = "2026-07-28";
  const auto requests = call("quick");
  EXPECT_THAT(text(requests), AllOf(HasSubstr("sent elicitation/create"), HasSubstr("did not declare")));
  EXPECT_THAT(back.requests, IsEmpty());
  manual.run(upstream->stop());  // Before its server is destroyed.
  upstream.reset();
}

TEST_F(UpstreamTest, Finding_P5_FailsASubscriptionThatIsNotAcknowledged) {
  OtherServer silent(app, manual.loop().executor);
  silent.silent_on = "subscriptions/listen";
  other = &silent;
  options.client.revision = "2026-07-28";
  options.client.timeouts = {.idle = 30s, .total = 30s};
  auto made = call_in("2025-11-25", "resources/subscribe", R"({"uri":"note://one"})");
  made.context.session_key = 1;
  const auto subscribed = manual.start(calling(&server(), std::move(made)));
  EXPECT_EQ(text(subscribed), "no answer");
  manual.pass(31s);
  EXPECT_THAT(text(subscribed),
              HasSubstr("the server 'far' did not acknowledge the subscription to note://one within 30s"));
  manual.run(upstream->stop());  // Before its server is destroyed.
  upstream.reset();
}

/// A client that answers on demand.
struct ThinkingPeer final : session::Service {
  explicit ThinkingPeer(boost::asio::any_io_executor executor) : answers(std::move(executor)) {}
  Task<Result<Reply>> call(Call&) override {
    ++requests;
    while (true) co_await answers.wait();
  }
  Task<void> notify(session::Notification&) override { co_return; }
  int requests = 0;
  AsyncEvent answers;
};

TEST_F(UpstreamTest, Finding_S1_FailsARequestOutsideACallWhenItsClientDisconnects) {
  OtherServer curious(app, manual.loop().executor);
  other = &curious;
  ASSERT_THAT(text(call("quick")), HasSubstr("here"));
  auto client = std::make_unique<ThinkingPeer>(manual.loop().executor);
  auto unasked = std::make_unique<TaskScope>(manual.loop().executor, manual.log(), "client");
  hooks[1] = server().on_session_open({.key = 1, .peer = *client, .tasks = *unasked});
  const auto answer = curious.send_request();
  manual.poll();
  ASSERT_EQ(client->requests, 1);
  unasked->cancel();
  manual.run(unasked->join());
  hooks.clear();
  unasked.reset();
  client.reset();
  manual.poll();
  ASSERT_TRUE(*answer);
  EXPECT_FALSE(**answer) << "the server gets an error";
  manual.run(upstream->stop());  // Before its server is destroyed.
  upstream.reset();
}

}  // namespace
}  // namespace fairlead::gateway::test
