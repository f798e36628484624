#include <fairlead/gateway/middleware.hpp>

#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/task_scope.hpp>

#include "gateway/fixtures/chain_fixture.hpp"

namespace fairlead::gateway::test::middleware_test {
namespace {

using session::PeerChannel;
using session::SessionRef;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The client's end of requests and of the session.
struct FakeClient final : PeerChannel, Service {
  Task<Result<Reply>> request(std::string method, json::Payload params) override {
    messages.push_back("ask " + method + " " + std::string(params.text()));
    co_return reply(R"({"answer":1})");
  }
  Task<Result<void>> notify(std::string method, json::Payload params) override {
    messages.push_back("tell " + method + " " + std::string(params.text()));
    return Result<void>();
  }
  void release_stream() override { messages.emplace_back("release_stream"); }

  Task<Result<Reply>> call(Call& call) override {
    messages.push_back("call " + call.method);
    co_return reply(R"({"answer":2})");
  }
  Task<void> notify(Notification& notice) override {
    messages.push_back("notify " + notice.method + " " + std::string(notice.params.text()));
    co_return;
  }

  std::vector<std::string> messages;
};

/// Overrides nothing.
struct Idle final : Middleware {};

/// A bidirectional middleware with behaviour set by the test.
struct RecordingMiddleware final : BidirectionalMiddleware {
  Task<Result<Reply>> on_server_request(Call& question, Service& client) override {
    seen.push_back("ask " + question.method + " for " + question.context.principal);
    if (answer) return answered();
    return client.call(question);
  }
  bool on_server_notification(Notification& notice) override {
    seen.push_back("tell " + notice.method + " for " + notice.principal);
    if (rewrite) notice.params = json::Payload::trusted(R"("rewritten")");
    return !swallow;
  }
  static Task<Result<Reply>> answered() { co_return reply(R"("instead")"); }

  std::vector<std::string> seen;
  bool answer = false;
  bool rewrite = false;
  bool swallow = false;
};

struct MiddlewareTest : ChainTest {
  FakeClient client;
  std::shared_ptr<RecordingMiddleware> watch = std::make_shared<RecordingMiddleware>();

  Call from_client() {
    auto call = tool_call("x");
    call.context.peer = &client;
    call.context.principal = "ann";
    return call;
  }
  /// A server that sends a request and a notification during each call.
  void server_sends_during_calls() {
    server.on_call = [](Call& call) -> Task<Result<Reply>> {
      auto& back = *call.context.peer;
      auto progress = json::Payload::trusted("1");
      co_await back.notify("notifications/progress", std::move(progress));
      EXPECT_TRUE(back.notify("notifications/message", json::Payload::trusted("2")).is_ready());
      auto question = json::Payload::trusted("3");
      auto answer = co_await back.request("elicitation/create", std::move(question));
      back.release_stream();
      co_return answer;
    };
  }
};

TEST_F(MiddlewareTest, PassesMessagesThatAreNotOverridden) {
  server_sends_during_calls();
  const auto whole = chain().then(Idle()).then(Idle()).then(server);
  EXPECT_EQ(text(*whole, from_client()), R"({"answer":1})");
  EXPECT_THAT(client.messages, ElementsAre("tell notifications/progress 1", "tell notifications/message 2",
                                           "ask elicitation/create 3", "release_stream"));
}

TEST_F(MiddlewareTest, ReverseLinkExistsOnlyForBidirectionalMiddleware) {
  const PeerChannel* reached = nullptr;
  server.on_call = [&](Call& call) -> Task<Result<Reply>> {
    reached = call.context.peer;
    co_return reply("{}");
  };
  text(*chain().then(Idle()).then([](Call&) {}).then(server), from_client());
  EXPECT_EQ(reached, &client);
}

TEST_F(MiddlewareTest, PassesEveryNotification) {
  struct Metric final : Middleware {
    Task<void> notify(Notification& notice, Service& next) override {
      ++notices;
      if (notice.method == "notifications/secret") return swallowed();
      return next.notify(notice);
    }
    static Task<void> swallowed() { co_return; }
    int notices = 0;
  };
  const auto count = std::make_shared<Metric>();
  const auto whole = chain().then(Idle()).then(count).then(server);
  for (const auto* method : {"notifications/initialized", "notifications/secret", "com.example/happened"}) {
    Notification notice{.method = method};
    loop.run([](Service& service, Notification& progress) -> Task<bool> {
      co_await service.notify(progress);
      co_return true;
    }(*whole, notice));
  }
  EXPECT_EQ(count->notices, 3);
  EXPECT_THAT(server.notices, ElementsAre("notifications/initialized", "com.example/happened"));
}

TEST_F(MiddlewareTest, SeesServerRequestsAndNotificationsOfACall) {
  server_sends_during_calls();
  EXPECT_EQ(text(*chain().then(watch).then(Idle()).then(server), from_client()), R"({"answer":1})");
  EXPECT_THAT(watch->seen, ElementsAre("tell notifications/progress for ann", "tell notifications/message for ann",
                                       "ask elicitation/create for ann"));
  EXPECT_THAT(client.messages, ElementsAre("tell notifications/progress 1", "tell notifications/message 2",
                                           "ask elicitation/create 3", "release_stream"));
}

TEST_F(MiddlewareTest, ServerMessagesPassFromTheInnermostOut) {
  server_sends_during_calls();
  const auto inner = std::make_shared<RecordingMiddleware>();
  inner->rewrite = true;
  std::vector<std::string> outer;
  struct Outer final : BidirectionalMiddleware {
    bool on_server_notification(Notification& notice) override {
      seen->emplace_back(notice.params.text());
      return true;
    }
    std::vector<std::string>* seen;
  };
  Outer last;
  last.seen = &outer;
  text(*chain().then(last).then(inner).then(server), from_client());
  EXPECT_THAT(outer, ElementsAre(R"("rewritten")", R"("rewritten")"));
  EXPECT_EQ(client.messages.front(), R"(tell notifications/progress "rewritten")");
}

TEST_F(MiddlewareTest, CanDropNotificationsAndAnswerServerRequests) {
  server_sends_during_calls();
  watch->swallow = true;
  watch->answer = true;
  EXPECT_EQ(text(*chain().then(watch).then(server), from_client()), R"("instead")");
  EXPECT_THAT(client.messages, ElementsAre("release_stream"));
}

TEST_F(MiddlewareTest, RestoresThePeerChannelAfterwards) {
  auto call = from_client();
  loop.run(chain().then(watch).then(server)->call(call));
  EXPECT_EQ(call.context.peer, &client);
}

TEST_F(MiddlewareTest, DoesNotSeeItsOwnRequests) {
  struct Confirm final : BidirectionalMiddleware {
    Task<Result<Reply>> call(Call& call, Service&) override {
      return call.context.peer->request("elicitation/create", {});
    }
    Task<Result<Reply>> on_server_request(Call&, Service&) override { return RecordingMiddleware::answered(); }
  };
  EXPECT_EQ(text(*chain().then(Confirm()).then(server), from_client()), R"({"answer":1})");
}

TEST_F(MiddlewareTest, KeepsAReadyReply) {
  server.quick = true;
  auto call = tool_call("x");
  EXPECT_TRUE(chain().then(server)->call(call).is_ready());
  EXPECT_TRUE(chain().then([](Call&) {}).then(server)->call(call).is_ready());
  auto list = call_of("tools/list");
  const auto whole = chain().then([](json::Payload) { return json::Payload::trusted(R"("changed")"); }, nullptr);
  auto listed = whole.then(server)->call(list);
  ASSERT_TRUE(listed.is_ready());
  EXPECT_EQ(listed.take()->body.text(), R"("changed")");
}

TEST_F(MiddlewareTest, AnUnstartedTaskDoesNotReachTheServer) {
  struct Later final : Middleware {
    Task<Result<Reply>> call(Call& call, Service& next) override { co_return co_await next.call(call); }
  };
  auto call = tool_call("x");
  EXPECT_FALSE(chain().then(Later()).then(server)->call(call).is_ready());
  EXPECT_THAT(server.calls, IsEmpty());
}

TEST_F(MiddlewareTest, PassesServerInfoAndHeaderParamsThroughTheChain) {
  const auto whole = chain().then(Idle()).then(watch).then(server);
  EXPECT_EQ(whole->server_info(), &server.info);
  ASSERT_EQ(whole->header_params("search", "").size(), 1u);
  EXPECT_EQ(whole->header_params("search", "")[0].path[0], "search");
}

struct UnsolicitedMessages : MiddlewareTest {
  TaskScope tasks{loop.context().get_executor(), loop.log(), "telling"};

  SessionRef session_ref() { return {.key = 7, .principal = "bob", .peer = client, .tasks = tasks}; }
  /// A server that notifies its peer on the next iteration of the event loop.
  void server_sends_unsolicited() {
    server.on_open = [](SessionRef& with) {
      with.tasks.spawn([](Service& peer) -> Task<void> {
        co_await boost::asio::post(co_await this_task::executor, use_task);
        Notification notice{.method = "notifications/tools/list_changed"};
        co_await peer.notify(notice);
        Call question{.method = "roots/list"};
        co_await peer.call(question);
      }(*with.peer));
      return nullptr;
    };
  }
};

TEST_F(UnsolicitedMessages, PassesUnsolicitedMessagesOfTheServer) {
  server_sends_unsolicited();
  const auto hook = chain().then(Idle()).then(server)->on_session_open(session_ref());
  loop.poll();
  EXPECT_THAT(client.messages, ElementsAre("notify notifications/tools/list_changed ", "call roots/list"));
}

TEST_F(UnsolicitedMessages, SeesUnsolicitedMessagesOfTheServer) {
  server_sends_unsolicited();
  watch->rewrite = true;
  const auto whole = chain().then(watch).then(server);
  const auto hook = whole->on_session_open(session_ref());
  loop.poll();
  EXPECT_THAT(watch->seen, ElementsAre("tell notifications/tools/list_changed for bob", "ask roots/list for bob"));
  EXPECT_THAT(client.messages,
              ElementsAre(R"(notify notifications/tools/list_changed "rewritten")", "call roots/list"));
}

TEST_F(UnsolicitedMessages, CanDropUnsolicitedMessages) {
  server_sends_unsolicited();
  watch->swallow = true;
  watch->answer = true;
  const auto whole = chain().then(watch).then(server);
  const auto hook = whole->on_session_open(session_ref());
  loop.poll();
  EXPECT_THAT(client.messages, IsEmpty());
}

TEST_F(UnsolicitedMessages, ASessionContinuesWhenItsChainIsReplaced) {
  struct Rewriting final : BidirectionalMiddleware {
    bool on_server_notification(Notification& notice) override {
      notice.params = json::Payload::trusted(text);
      return true;
    }
    std::string text = R"("still here, in a string too long to be kept in place")";
  };
  server_sends_unsolicited();
  auto whole = chain().then(Rewriting()).then(server);
  const auto hook = whole->on_session_open(session_ref());
  whole.reset();
  loop.poll();
  EXPECT_THAT(client.messages.front(), HasSubstr("still here"));
}

TEST_F(UnsolicitedMessages, PassesSessionHooksThroughTheChain) {
  struct Gone final : session::SessionHook {
    explicit Gone(bool& progress) : gone(progress) {}
    ~Gone() override { gone = true; }
    bool& gone;
  };
  bool gone = false;
  server.on_open = [&](SessionRef& with) {
    EXPECT_EQ(with.key, 7u);
    EXPECT_EQ(with.principal, "bob");
    return std::make_unique<Gone>(gone);
  };
  auto hook = chain().then(Idle()).then(watch).then(server)->on_session_open(session_ref());
  EXPECT_FALSE(gone);
  hook.reset();
  EXPECT_TRUE(gone);
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_test
