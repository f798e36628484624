#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/middleware.hpp>

#include "gateway/chain_fixture.hpp"

namespace fairlead::gateway::test::chain_middleware_test {
namespace {

using session::Backchannel;
using session::Conversation;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A client, as its requests and its conversation know it.
struct FakeClient final : Backchannel, Service {
  Task<Result<Reply>> ask(std::string method, json::Payload params) override {
    said.push_back("ask " + method + " " + std::string(params.text()));
    co_return reply(R"({"answer":1})");
  }
  Task<Result<void>> tell(std::string method, json::Payload params) override {
    said.push_back("tell " + method + " " + std::string(params.text()));
    co_return Result<void>();
  }
  bool tell_now(std::string_view method, const json::Payload& params) override {
    said.push_back("tell_now " + std::string(method) + " " + std::string(params.text()));
    return true;
  }
  void let_go() override { said.emplace_back("let_go"); }

  Task<Result<Reply>> call(Call& call) override {
    said.push_back("call " + call.method);
    co_return reply(R"({"answer":2})");
  }
  Task<void> notify(Notice& notice) override {
    said.push_back("notify " + notice.method + " " + std::string(notice.params.text()));
    co_return;
  }

  std::vector<std::string> said;
};

/// Overrides nothing.
struct Idle final : Middleware {};

/// Sees the way back, and has a hand in it where the test says so.
struct Watch final : TwoWayMiddleware {
  Task<Result<Reply>> ask_back(Call& question, Service& client) override {
    seen.push_back("ask " + question.method + " for " + question.context.principal);
    if (answer) return answered();
    return client.call(question);
  }
  bool tell_back(Notice& notice) override {
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
  std::shared_ptr<Watch> watch = std::make_shared<Watch>();

  Call from_client() {
    auto call = tool_call("x");
    call.context.back = &client;
    call.context.principal = "ann";
    return call;
  }
  /// A server that asks and tells on its call's way back.
  void let_the_server_talk() {
    server.on_call = [](Call& call) -> Task<Result<Reply>> {
      auto& back = *call.context.back;
      auto told = json::Payload::trusted("1");
      co_await back.tell("notifications/progress", std::move(told));
      back.tell_now("notifications/message", json::Payload::trusted("2"));
      auto question = json::Payload::trusted("3");
      auto answer = co_await back.ask("elicitation/create", std::move(question));
      back.let_go();
      co_return answer;
    };
  }
};

TEST_F(MiddlewareTest, WhatIsNotOverriddenPassesBothWays) {
  let_the_server_talk();
  const auto whole = chain().then(Idle()).then(Idle()).then(server);
  EXPECT_EQ(text(*whole, from_client()), R"({"answer":1})");
  EXPECT_THAT(client.said, ElementsAre("tell notifications/progress 1", "tell_now notifications/message 2",
                                       "ask elicitation/create 3", "let_go"));
}

TEST_F(MiddlewareTest, WhoDoesNotLookBackIsNotInTheWayBack) {
  const Backchannel* reached = nullptr;
  server.on_call = [&](Call& call) -> Task<Result<Reply>> {
    reached = call.context.back;
    co_return reply("{}");
  };
  text(*chain().then(Idle()).then([](Call&) {}).then(server), from_client());
  EXPECT_EQ(reached, &client);
}

TEST_F(MiddlewareTest, EveryNotificationPasses) {
  struct Count final : Middleware {
    Task<void> notify(Notice& notice, Service& next) override {
      ++notices;
      if (notice.method == "notifications/secret") return swallowed();
      return next.notify(notice);
    }
    static Task<void> swallowed() { co_return; }
    int notices = 0;
  };
  const auto count = std::make_shared<Count>();
  const auto whole = chain().then(Idle()).then(count).then(server);
  for (const auto* method : {"notifications/initialized", "notifications/secret", "com.example/happened"}) {
    Notice notice{.method = method};
    loop.run([](Service& service, Notice& told) -> Task<bool> {
      co_await service.notify(told);
      co_return true;
    }(*whole, notice));
  }
  EXPECT_EQ(count->notices, 3);
  EXPECT_THAT(server.notices, ElementsAre("notifications/initialized", "com.example/happened"));
}

TEST_F(MiddlewareTest, QuestionsAndNewsOfACallAreSeenOnTheirWayBack) {
  let_the_server_talk();
  EXPECT_EQ(text(*chain().then(watch).then(Idle()).then(server), from_client()), R"({"answer":1})");
  EXPECT_THAT(watch->seen, ElementsAre("tell notifications/progress for ann", "tell notifications/message for ann",
                                       "ask elicitation/create for ann"));
  EXPECT_THAT(client.said, ElementsAre("tell notifications/progress 1", "tell_now notifications/message 2",
                                       "ask elicitation/create 3", "let_go"));
}

TEST_F(MiddlewareTest, TheWayBackGoesFromTheInnermostOut) {
  let_the_server_talk();
  const auto inner = std::make_shared<Watch>();
  inner->rewrite = true;
  std::vector<std::string> outer;
  struct Outer final : TwoWayMiddleware {
    bool tell_back(Notice& notice) override {
      seen->emplace_back(notice.params.text());
      return true;
    }
    std::vector<std::string>* seen;
  };
  Outer last;
  last.seen = &outer;
  text(*chain().then(last).then(inner).then(server), from_client());
  EXPECT_THAT(outer, ElementsAre(R"("rewritten")", R"("rewritten")"));
  EXPECT_EQ(client.said.front(), R"(tell notifications/progress "rewritten")");
}

TEST_F(MiddlewareTest, WhatTheServerTellsCanBeSwallowedAndItsQuestionsAnswered) {
  let_the_server_talk();
  watch->swallow = true;
  watch->answer = true;
  EXPECT_EQ(text(*chain().then(watch).then(server), from_client()), R"("instead")");
  EXPECT_THAT(client.said, ElementsAre("let_go"));
}

TEST_F(MiddlewareTest, TheCallHasItsOwnWayBackAgainAfterwards) {
  auto call = from_client();
  loop.run(chain().then(watch).then(server)->call(call));
  EXPECT_EQ(call.context.back, &client);
}

TEST_F(MiddlewareTest, WhatAMiddlewareAsksItselfItDoesNotSee) {
  struct Confirm final : TwoWayMiddleware {
    Task<Result<Reply>> call(Call& call, Service&) override { return call.context.back->ask("elicitation/create", {}); }
    Task<Result<Reply>> ask_back(Call&, Service&) override { return Watch::answered(); }
  };
  EXPECT_EQ(text(*chain().then(Confirm()).then(server), from_client()), R"({"answer":1})");
}

TEST_F(MiddlewareTest, NothingIsAnsweredBehindAMiddlewaresBack) {
  server.quick = true;
  auto call = tool_call("x");
  EXPECT_TRUE(chain().then(server)->answer_now(call));
  EXPECT_FALSE(chain().then([](Call&) {}).then(server)->answer_now(call));
  struct Refuse final : Middleware {
    Task<Result<Reply>> call(Call&, Service&) override { co_return refuse("no"); }
  };
  EXPECT_FALSE(chain().then(Refuse()).then(server)->answer_now(call));
  // One that touches metadata only lets other requests be answered at once.
  EXPECT_TRUE(chain().then([](json::Payload same) { return same; }, nullptr).then(server)->answer_now(call));
}

TEST_F(MiddlewareTest, WhoTheServerIsAndItsHeadersAreKnownThroughTheChain) {
  const auto whole = chain().then(Idle()).then(watch).then(server);
  EXPECT_EQ(whole->self(), &server.info);
  ASSERT_EQ(whole->header_params("search", "").size(), 1u);
  EXPECT_EQ(whole->header_params("search", "")[0].path[0], "search");
}

struct Unasked : MiddlewareTest {
  TaskScope tasks{loop.context().get_executor(), loop.log(), "telling"};

  Conversation conversation() {
    return {.key = 7, .principal = "bob", .peer = client, .executor = loop.context().get_executor(), .tasks = tasks};
  }
  /// A server that tells its peer something once the loop turns.
  void let_the_server_tell() {
    server.on_attend = [](Conversation& with) {
      with.tasks.spawn([](Service& peer) -> Task<void> {
        co_await boost::asio::post(co_await boost::asio::this_coro::executor, boost::asio::use_awaitable);
        Notice notice{.method = "notifications/tools/list_changed"};
        co_await peer.notify(notice);
        Call question{.method = "roots/list"};
        co_await peer.call(question);
      }(*with.peer));
      return nullptr;
    };
  }
};

TEST_F(Unasked, WhatTheServerSaysOfItselfPassesWhoDoesNotLook) {
  let_the_server_tell();
  const auto attendance = chain().then(Idle()).then(server)->attend(conversation());
  loop.poll();
  EXPECT_THAT(client.said, ElementsAre("notify notifications/tools/list_changed ", "call roots/list"));
}

TEST_F(Unasked, WhatTheServerSaysOfItselfIsSeenByWhoLooks) {
  let_the_server_tell();
  watch->rewrite = true;
  const auto whole = chain().then(watch).then(server);
  const auto attendance = whole->attend(conversation());
  loop.poll();
  EXPECT_THAT(watch->seen, ElementsAre("tell notifications/tools/list_changed for bob", "ask roots/list for bob"));
  EXPECT_THAT(client.said, ElementsAre(R"(notify notifications/tools/list_changed "rewritten")", "call roots/list"));
}

TEST_F(Unasked, ItCanBeKeptFromTheClient) {
  let_the_server_tell();
  watch->swallow = true;
  watch->answer = true;
  const auto whole = chain().then(watch).then(server);
  const auto attendance = whole->attend(conversation());
  loop.poll();
  EXPECT_THAT(client.said, IsEmpty());
}

TEST_F(Unasked, AConversationGoesOnThoughItsChainIsReplaced) {
  struct Rewriting final : TwoWayMiddleware {
    bool tell_back(Notice& notice) override {
      notice.params = json::Payload::trusted(text);
      return true;
    }
    std::string text = R"("still here, in a string too long to be kept in place")";
  };
  let_the_server_tell();
  auto whole = chain().then(Rewriting()).then(server);
  const auto attendance = whole->attend(conversation());
  whole.reset();
  loop.poll();
  EXPECT_THAT(client.said.front(), HasSubstr("still here"));
}

TEST_F(Unasked, AnAttendanceGoesThroughTheChain) {
  struct Gone final : session::Attendance {
    explicit Gone(bool& told) : gone(told) {}
    ~Gone() override { gone = true; }
    bool& gone;
  };
  bool gone = false;
  server.on_attend = [&](Conversation& with) {
    EXPECT_EQ(with.key, 7u);
    EXPECT_EQ(with.principal, "bob");
    return std::make_unique<Gone>(gone);
  };
  auto attendance = chain().then(Idle()).then(watch).then(server)->attend(conversation());
  EXPECT_FALSE(gone);
  attendance.reset();
  EXPECT_TRUE(gone);
}

}  // namespace
}  // namespace fairlead::gateway::test::chain_middleware_test
