#include "gateway/upstream/upstream.hpp"

#include <fairlead/base/task_scope.hpp>
#include <fairlead/server.hpp>

#include "manual_loop.hpp"

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

/// An external server on a loop and a clock that the test turns by hand.
struct UpstreamTest : testing::Test {
  UpstreamTest() {
    options.name = "far";
    options.client.revision = "2025-11-25";
    app.tool("quick", "Answers", [] { return "here"; });
    app.tool("slow", "Works until it is told to end", [this](Context& context) -> Task<std::string> {
      ++working;
      for (int step = 1; !finished; ++step) {
        co_await turn.wait();
        co_await context.progress(step);
      }
      --working;
      co_return "done";
    });
    app.tool("ask", "Asks for roots", [](Context& context) -> Task<std::string> {
      co_return std::to_string((co_await context.roots()).size());
    });
  }
  ~UpstreamTest() override {
    finished = true;
    turn.ring();
    manual.poll();
    places.clear();
    if (upstream) manual.run(upstream->stop());
    tasks.cancel();
    manual.run(tasks.join());
  }

  Upstream& server() {
    if (!upstream) upstream.emplace(manual.loop(), client::Endpoint(service()), options);
    return *upstream;
  }
  session::Service& service() { return other ? *other : app; }

  using Outcome = std::shared_ptr<Started<Result<Reply>>>;
  static Task<Result<Reply>> calling(Upstream* upstream, Call call) { co_return co_await upstream->call(call); }
  Outcome call(const std::string& tool, std::uint64_t conversation = 1, std::string more = "") {
    auto made = call_in("2025-11-25", "tools/call", R"({"name":")" + tool + R"(","arguments":{})" + more + "}");
    made.context.conversation = conversation;
    made.context.id = jsonrpc::Id(1);
    made.context.back = &back;
    auto caller = std::make_shared<protocol::Caller>();
    caller->capabilities.roots.emplace();
    made.context.caller = caller;
    made.context.progress_token = jsonrpc::Id("p");
    made.patience = session::Patience::endless();
    return manual.start(calling(&server(), std::move(made)));
  }
  std::string ask(const std::string& principal, const std::string& method, const std::string& params) {
    auto made = call_in("2025-11-25", method, params);
    made.context.principal = principal;
    return text(manual.start(calling(&server(), std::move(made))));
  }
  static std::string text(const Outcome& outcome) {
    if (outcome->thrown) return "thrown";
    if (!outcome->value) return "no answer";
    return *outcome->value ? std::string((**outcome->value).body.text()) : outcome->value->error().message;
  }
  void work() {
    turn.ring();
    manual.poll();
  }

  ManualLoop manual;
  TaskScope tasks{manual.loop().executor, manual.log(), "test"};
  FakeBack back{manual.loop().executor};
  Bell turn{manual.loop().executor};
  bool finished = false;
  int working = 0;
  server::Server app{"far", "1"};
  UpstreamOptions options;
  session::Service* other = nullptr;  // Instead of the app.
  std::optional<Upstream> upstream;
  std::map<std::uint64_t, std::unique_ptr<session::Attendance>> places;
};

TEST_F(UpstreamTest, Complaint_18_ALongCallLivesAsLongAsItShowsProgress) {
  options.patience = {.idle = 30s, .cap = 10min};
  const auto slow = call("slow");
  for (int i = 0; i < 8; ++i) {
    manual.pass(20s);
    work();
    EXPECT_FALSE(slow->done()) << "after " << 20 * (i + 1) << " s";
  }
  EXPECT_THAT(back.told, SizeIs(8)) << "and each sign of life is passed on";
  EXPECT_THAT(back.told.front(), HasSubstr(R"("progressToken":"p")"));
  finished = true;
  work();
  EXPECT_THAT(text(slow), HasSubstr("done"));
}

TEST_F(UpstreamTest, Complaint_18_WithoutProgressItEndsAndWithProgressAtTheCap) {
  options.patience = {.idle = 30s, .cap = 1min};
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

TEST_F(UpstreamTest, SoManyCallsAtATimeSoManyWaitAndTheNextIsToldSo) {
  options.max_in_flight = 1;
  options.max_waiting = 2;
  const auto one = call("slow"), two = call("quick"), three = call("quick"), four = call("quick");
  EXPECT_FALSE(two->done() || three->done());
  EXPECT_THAT(text(four), HasSubstr("is busy, and 2 calls wait for it already; try again later"));
  EXPECT_THAT(four->value->error().data, HasSubstr(R"("outcome":"not made")"));
  finished = true;
  work();
  EXPECT_THAT(text(one), HasSubstr("done"));
  EXPECT_THAT(text(three), HasSubstr("here"));
}

TEST_F(UpstreamTest, WhoGivesUpInTheQueueLeavesIt) {
  options.max_in_flight = 1;
  const auto one = call("slow");
  const auto two = call("quick");
  manual.give_up(two);
  EXPECT_TRUE(two->done());
  finished = true;
  work();
  EXPECT_THAT(text(call("quick")), HasSubstr("here")) << "and takes nobody's place";
}

TEST_F(UpstreamTest, ACallThatIsGivenUpWhileItsServerAsksLeavesNothingBehind) {
  const auto asking = call("ask");
  ASSERT_THAT(back.asked, ElementsAre("roots/list"));
  manual.give_up(asking);
  EXPECT_TRUE(asking->done());
  EXPECT_EQ(server().state().in_flight, 0U);
  EXPECT_THAT(text(call("quick", 2)), HasSubstr("here")) << "and holds nobody back";
}

TEST_F(UpstreamTest, WhatIsThrownByWhoHearsOfProgressEndsNothing) {
  auto made = call_in("2025-11-25", "tools/call", R"({"name":"slow","arguments":{}})");
  made.patience = session::Patience::endless();
  made.context.progress_token = jsonrpc::Id("p");
  struct Throwing final : session::Backchannel {
    Task<Result<Reply>> ask(std::string, json::Payload) override { throw std::runtime_error("broken"); }
    Task<Result<void>> tell(std::string, json::Payload) override { throw std::runtime_error("broken"); }
    bool tell_now(std::string_view, const json::Payload&) override { throw std::runtime_error("broken"); }
  } throwing;
  made.context.back = &throwing;
  const auto broken = manual.start(calling(&server(), std::move(made)));
  work();
  finished = true;
  work();
  EXPECT_THAT(text(broken), HasSubstr("done"));
  EXPECT_TRUE(manual.log().contains("could not be told to a caller: broken"));
  EXPECT_THAT(text(call("quick", 2)), HasSubstr("here"));
}

/// A server that begins a task with every call, and tells how it is doing.
struct TaskServer final : session::Service {
  Task<Result<Reply>> call(Call& call) override {
    ++calls;
    last_params = call.params.text();
    std::string result = R"({"task":{"taskId":"t)" + std::to_string(++begun) + R"(","status":"working"}})";
    if (call.method == "initialize") {
      result = R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{}},)"
               R"("serverInfo":{"name":"tasks","version":"1"}})";
      begun = 0;
    }
    if (call.method == "tasks/get") result = R"({"status":"completed"})";
    if (call.method == "tasks/list") {
      result = R"({"tasks":[{"taskId":"t1"}, {"taskId":"t2"},{"taskId":"older"}],"nextCursor":"c"})";
    }
    co_return Reply{.body = json::Payload::trusted(result)};
  }
  Task<void> notify(session::Notice&) override { co_return; }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    client.emplace(std::move(conversation));
    return nullptr;
  }
  static Task<void> telling(session::Service* peer, std::string params) {
    session::Notice notice{.method = "notifications/tasks/status", .params = json::Payload::trusted(std::move(params))};
    co_await peer->notify(notice);
  }
  void tell(const std::string& id) { client->tasks.spawn(telling(&*client->peer, R"({"taskId":")" + id + "\"}")); }

  int begun = 0;
  int calls = 0;
  std::string last_params = {};
  std::optional<session::Conversation> client;
};

struct TaskPeer final : session::Service {
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(session::Notice& notice) override {
    heard.push_back(std::string(notice.params.text()));
    co_return;
  }
  std::vector<std::string> heard = {};
};

TEST_F(UpstreamTest, Attack_HowATaskIsDoingIsToldToWhoBeganItAlone) {
  TaskServer with_tasks;
  other = &with_tasks;
  TaskPeer anna, ben;
  places[1] = server().attend({.key = 1, .peer = anna, .executor = manual.loop().executor, .tasks = tasks});
  places[2] = server().attend({.key = 2, .peer = ben, .executor = manual.loop().executor, .tasks = tasks});
  ASSERT_THAT(text(call("job", 1, R"(,"task":{})")), HasSubstr("t1"));
  ASSERT_THAT(text(call("job", 2, R"(,"task":{})")), HasSubstr("t2"));
  for (const auto* id : {"t2", "t1", "nobodys"}) with_tasks.tell(id);
  manual.poll();
  EXPECT_THAT(anna.heard, ElementsAre(R"({"taskId":"t1"})"));
  EXPECT_THAT(ben.heard, ElementsAre(R"({"taskId":"t2"})"));
}

TEST_F(UpstreamTest, Attack_ATaskOfAnotherPrincipalIsNone) {
  TaskServer with_tasks;
  other = &with_tasks;
  const std::string job = R"({"name":"job","arguments":{},"task":{}})";
  ASSERT_THAT(ask("anna", "tools/call", job), HasSubstr("t1"));
  ASSERT_THAT(ask("ben", "tools/call", job), HasSubstr("t2"));
  EXPECT_THAT(ask("anna", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("completed"));
  EXPECT_THAT(ask("ben", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("no such task"));
  EXPECT_THAT(ask("", "tasks/cancel", R"({"taskId":"t2"})"), HasSubstr("no such task"));
  EXPECT_EQ(ask("anna", "tasks/list", "{}"), R"({"tasks":[{"taskId":"t1"}],"nextCursor":"c"})");
  EXPECT_EQ(ask("ben", "tasks/list", "{}"), R"({"tasks":[{"taskId":"t2"}],"nextCursor":"c"})");
}

TEST_F(UpstreamTest, Finding_S5_ATaskThatNobodyIsKnownToHaveBegunIsNobodysAndReachesNoServer) {
  TaskServer with_tasks;
  other = &with_tasks;
  ASSERT_THAT(ask("anna", "tools/call", R"({"name":"job","arguments":{},"task":{}})"), HasSubstr("t1"));
  const auto calls = with_tasks.calls;
  for (const auto* method : {"tasks/get", "tasks/result", "tasks/cancel", "tasks/update"}) {
    EXPECT_THAT(ask("anna", method, R"({"taskId":"older"})"), HasSubstr("no such task")) << method;
    EXPECT_THAT(ask("", method, "{}"), HasSubstr("no such task")) << method;
  }
  EXPECT_EQ(with_tasks.calls, calls);
  EXPECT_THAT(ask("ben", "tasks/list", "{}"), HasSubstr(R"({"tasks":[])"));
}

TEST_F(UpstreamTest, Finding_S5_AnonymousSessionsDoNotSeeEachOthersTasks) {
  TaskServer with_tasks;
  other = &with_tasks;
  const auto ask_in = [&](std::uint64_t session, const std::string& method, const std::string& params) {
    auto made = call_in("2025-11-25", method, params);
    made.context.conversation = session;
    return text(manual.start(calling(&server(), std::move(made))));
  };
  ASSERT_THAT(ask_in(1, "tools/call", R"({"name":"job","arguments":{},"task":{}})"), HasSubstr("t1"));
  EXPECT_THAT(ask_in(1, "tasks/get", R"({"taskId":"t1"})"), HasSubstr("completed"));
  EXPECT_THAT(ask_in(2, "tasks/get", R"({"taskId":"t1"})"), HasSubstr("no such task"));
  EXPECT_THAT(ask_in(2, "tasks/cancel", R"({"taskId":"t1"})"), HasSubstr("no such task"));
  EXPECT_THAT(ask_in(2, "tasks/list", "{}"), HasSubstr(R"({"tasks":[])"));
}

TEST_F(UpstreamTest, Finding_S5_OwnersOfTasksOutliveTheUpstreamThatAReloadReplaces) {
  TaskServer with_tasks;
  other = &with_tasks;
  ASSERT_THAT(ask("anna", "tools/call", R"({"name":"job","arguments":{},"task":{}})"), HasSubstr("t1"));
  manual.run(upstream->stop());
  upstream.reset();
  EXPECT_THAT(ask("anna", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("completed"));
  EXPECT_THAT(ask("ben", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("no such task"));
}

TEST_F(UpstreamTest, Finding_P1_AModernCallersWishForATaskDoesNotReachALegacyServer) {
  TaskServer with_tasks;
  other = &with_tasks;
  auto made = call_in("2026-07-28", "tools/call", R"({"name":"job","task":{},"arguments":{}})");
  manual.start(calling(&server(), std::move(made)));
  EXPECT_EQ(with_tasks.last_params, R"({"name":"job","arguments":{}})");
}

/// A stateless server that begins a task for whoever declares the extension, and for everybody if it is `bold`.
struct ExtensionServer final : session::Service {
  Task<Result<Reply>> call(Call& call) override {
    if (call.method == "server/discover") {
      co_return Reply{.body = json::Payload::trusted(
                          R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":)"
                          R"({"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private"})")};
    }
    const auto& extensions = call.context.caller->capabilities.extensions;
    declared = extensions && extensions->contains("io.modelcontextprotocol/tasks");
    if (!declared && !bold) co_return Reply{.body = json::Payload::trusted(R"({"content":[]})")};
    co_return Reply{.body = json::Payload::trusted(R"({"taskId":"t1","status":"working"})"),
                    .kind = protocol::ResultKind::other,
                    .other_kind = "task"};
  }
  Task<void> notify(session::Notice&) override { co_return; }
  const protocol::Implementation* self() const override { return &info; }

  protocol::Implementation info{.name = "extension", .version = "1"};
  bool bold = false;
  bool declared = false;
};

TEST_F(UpstreamTest, Finding_P1_NoClientsDeclarationOfTheTasksExtensionReachesAServer) {
  ExtensionServer with_tasks;
  other = &with_tasks;
  options.client.revision = "2026-07-28";
  for (const auto* revision : {"2026-07-28", "2025-11-25"}) {
    auto made = call_in(revision, "tools/call", R"({"name":"job","arguments":{}})");
    auto caller = std::make_shared<protocol::Caller>();
    caller->capabilities.extensions = {{{"io.modelcontextprotocol/tasks", json::Payload::trusted("{}")}}};
    made.context.caller = caller;
    EXPECT_THAT(text(manual.start(calling(&server(), std::move(made)))), HasSubstr("content")) << revision;
    EXPECT_FALSE(with_tasks.declared) << revision;
  }
}

TEST_F(UpstreamTest, Finding_P1_AHandleThatNobodyCouldFetchIsNoResult) {
  ExtensionServer with_tasks;
  with_tasks.bold = true;
  other = &with_tasks;
  options.client.revision = "2026-07-28";
  EXPECT_THAT(ask("anna", "tools/call", R"({"name":"job","arguments":{}})"),
              HasSubstr("'far' answered tools/call 'job' with a task"));
}

TEST_F(UpstreamTest, ATaskIdThatAServerGivesAgainIsOfWhoBeganTheLatest) {
  TaskServer with_tasks;
  other = &with_tasks;
  const std::string job = R"({"name":"job","arguments":{},"task":{}})";
  ASSERT_THAT(ask("anna", "tools/call", job), HasSubstr("t1"));
  with_tasks.begun = 0;  // As after a restart.
  ASSERT_THAT(ask("ben", "tools/call", job), HasSubstr("t1"));
  EXPECT_THAT(ask("ben", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("completed"));
  EXPECT_THAT(ask("anna", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("no such task"));
}

/// The app, but for what the test has it do otherwise.
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
  Task<void> notify(session::Notice& notice) override { return app.notify(notice); }
  std::unique_ptr<session::Attendance> attend(session::Conversation with) override {
    client.emplace(std::move(with));
    return nullptr;
  }
  const protocol::Implementation* self() const override { return app.self(); }

  static Task<void> asking(session::PeerHandle peer, std::shared_ptr<std::optional<Result<Reply>>> answer) {
    Call question{.method = "roots/list"};
    *answer = co_await peer->call(question);
  }
  /// Asks its client, outside any call.
  std::shared_ptr<std::optional<Result<Reply>>> ask() {
    auto answer = std::make_shared<std::optional<Result<Reply>>>();
    client->tasks.spawn(asking(client->peer, answer));
    return answer;
  }

  session::Service& app;
  Bell never;
  std::string silent_on = {};
  std::string asks_with = {};
  std::optional<session::Conversation> client;
};

TEST_F(UpstreamTest, Finding_S14_TheTimeoutOfACallDoesNotRunWhileItsQuestionIsOpen) {
  for (const auto* revision : {"2025-11-25", "2026-07-28"}) {
    if (upstream) manual.run(upstream->stop());
    upstream.reset();
    back.answer.reset();
    options.client.revision = revision;
    options.patience = {.idle = 30s, .cap = 10min};
    const auto asked = call("ask");
    for (int i = 0; i < 8; ++i) manual.pass(29s);
    EXPECT_FALSE(asked->done()) << revision << ": " << text(asked);
    back.reply(R"({"roots":[]})");
    manual.poll();
    EXPECT_THAT(text(asked), HasSubstr("0")) << revision;
  }
}

TEST_F(UpstreamTest, Finding_S14_MaxTimeHoldsWhileAQuestionIsOpen) {
  for (const auto* revision : {"2025-11-25", "2026-07-28"}) {
    if (upstream) manual.run(upstream->stop());
    upstream.reset();
    options.client.revision = revision;
    options.patience = {.idle = 30s, .cap = 2min};
    const auto asked = call("ask");
    for (int i = 0; i < 4; ++i) manual.pass(29s);
    EXPECT_FALSE(asked->done()) << revision << ": " << text(asked);
    manual.pass(5s);
    EXPECT_THAT(text(asked), AllOf(HasSubstr("did not finish tools/call 'ask' within 120.0 s"), HasSubstr("max_time")))
        << revision;
  }
}

TEST_F(UpstreamTest, Finding_P6_AQuestionInAResultIsNotPutToAClientThatDidNotDeclareIt) {
  OtherServer nosy(app, manual.loop().executor);
  nosy.asks_with =
      R"({"inputRequests":{"k":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}},)"
      R"("requestState":"s"})";
  other = &nosy;
  options.client.revision = "2026-07-28";
  const auto asked = call("quick");
  EXPECT_THAT(text(asked), AllOf(HasSubstr("asked the client for elicitation/create"), HasSubstr("did not declare")));
  EXPECT_THAT(back.asked, IsEmpty());
  manual.run(upstream->stop());  // Before the server that it speaks to.
  upstream.reset();
}

TEST_F(UpstreamTest, Finding_P5_ASubscriptionThatIsNotAcknowledgedFailsAfterAWhile) {
  OtherServer silent(app, manual.loop().executor);
  silent.silent_on = "subscriptions/listen";
  other = &silent;
  options.client.revision = "2026-07-28";
  options.client.patience = {.idle = 30s, .cap = 30s};
  auto made = call_in("2025-11-25", "resources/subscribe", R"({"uri":"note://one"})");
  made.context.conversation = 1;
  const auto subscribed = manual.start(calling(&server(), std::move(made)));
  EXPECT_EQ(text(subscribed), "no answer");
  manual.pass(31s);
  EXPECT_THAT(text(subscribed),
              HasSubstr("the server 'far' did not acknowledge the subscription to note://one within 30s"));
  manual.run(upstream->stop());  // Before the server that it speaks to.
  upstream.reset();
}

/// A client that takes its time.
struct ThinkingPeer final : session::Service {
  explicit ThinkingPeer(boost::asio::any_io_executor executor) : answers(std::move(executor)) {}
  Task<Result<Reply>> call(Call&) override {
    ++asked;
    while (true) co_await answers.wait();
  }
  Task<void> notify(session::Notice&) override { co_return; }
  int asked = 0;
  Bell answers;
};

TEST_F(UpstreamTest, Finding_S1_AQuestionOutsideACallEndsWithTheClientThatItWasPutTo) {
  OtherServer curious(app, manual.loop().executor);
  other = &curious;
  ASSERT_THAT(text(call("quick")), HasSubstr("here"));
  auto client = std::make_unique<ThinkingPeer>(manual.loop().executor);
  auto unasked = std::make_unique<TaskScope>(manual.loop().executor, manual.log(), "client");
  places[1] = server().attend({.key = 1, .peer = *client, .executor = manual.loop().executor, .tasks = *unasked});
  const auto answer = curious.ask();
  manual.poll();
  ASSERT_EQ(client->asked, 1);
  unasked->cancel();
  manual.run(unasked->join());
  places.clear();
  unasked.reset();
  client.reset();
  manual.poll();
  ASSERT_TRUE(*answer);
  EXPECT_FALSE(**answer) << "the server learns that nobody answers";
  manual.run(upstream->stop());  // Before the server that it speaks to.
  upstream.reset();
}

}  // namespace
}  // namespace fairlead::gateway::test
