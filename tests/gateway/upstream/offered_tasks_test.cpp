#include "gateway/upstream/offered_tasks.hpp"

#include "gateway/fixtures/aggregator_fixture.hpp"
#include "gateway/fixtures/manual_loop.hpp"

/// Long calls that become tasks of the gateway.
namespace fairlead::gateway::test::offered_tasks_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A server without tasks, whose call asks a question if wanted and ends when the test says so.
struct SlowBackend final : Backend {
  explicit SlowBackend(boost::asio::any_io_executor executor) : changed(executor) {}

  const std::string& name() const override { return own_name; }
  Task<Result<client::ServerDescription>> describe() override { co_return description; }
  const client::ServerDescription* last_description() const override { return &description; }
  Task<Result<Reply>> call(Call& call) override {
    last = call.method + std::string(call.params.text());
    if (call.method == "tools/call" && legacy && !call.params.text().contains("task")) {
      co_return std::unexpected(Error{.kind = ErrorKind::refused, .message = "needs a task", .code = -32601});
    }
    if (call.method == "tools/call" && legacy) {
      co_return Reply{.body = json::Payload::trusted(R"({"task":{"taskId":"t1","status":"working"}})")};
    }
    struct Ended {
      int& count;
      ~Ended() { ++count; }
    } const ended{ends};
    std::string answered = "{}";
    if (question_first) {
      auto answer = co_await call.context.peer->request("elicitation/create", json::Payload::trusted("{}"));
      if (!answer) co_return std::unexpected(answer.error());
      answered = std::string(answer->body.text());
    }
    while (!done) {
      co_await changed.wait();
      if (!std::exchange(question_now, false)) continue;
      auto answer = co_await call.context.peer->request("elicitation/create", json::Payload::trusted("{}"));
      if (!answer) co_return std::unexpected(answer.error());
      answered = std::string(answer->body.text());
    }
    if (failure) co_return std::unexpected(*failure);
    co_return Reply{.body = json::Payload::trusted(R"({"content":[],"answered":)" + answered + "}")};
  }
  Task<void> notify(session::Notification&) override { return {}; }
  void finish() {
    done = true;
    changed.notify();
  }

  std::string own_name = "far";
  client::ServerDescription description = {};
  AsyncEvent changed;
  std::string last = {};
  std::optional<Error> failure = {};
  bool question_first = false, question_now = false, done = false, legacy = false;
  int ends = 0;
};

struct OfferedTasksTest : testing::Test {
  using Outcome = std::shared_ptr<Started<Result<Reply>>>;

  ~OfferedTasksTest() override {
    server->finish();
    manual.poll();
    scope.cancel();
    manual.run(scope.join());
  }

  static Task<Result<Reply>> calling(session::Service* service, Call call) { co_return co_await service->call(call); }
  Outcome start(std::string method, std::string params) {
    auto call = call_in("2026-07-28", std::move(method), std::move(params));
    call.context.principal = "anna";
    call.context.peer = &back;
    call.context.id = jsonrpc::Id(1);
    auto caller = std::make_shared<protocol::ClientIdentity>();
    if (with_tasks)
      caller->capabilities.extensions = {{{"io.modelcontextprotocol/tasks", json::Payload::trusted("{}")}}};
    call.context.caller = caller;
    return manual.start(calling(&offering, std::move(call)));
  }
  static std::string text(const Outcome& outcome) {
    if (!outcome->value) return "no answer";
    return *outcome->value ? std::string((*outcome->value)->body.text()) : "!" + outcome->value->error().message;
  }
  Outcome call() { return start("tools/call", R"({"name":"film"})"); }
  /// The id of the task that a call has become after 30 s.
  std::string task() {
    const auto made = call();
    manual.pass(30s);
    const auto body = text(made);
    return json::decode<std::string>(json::member_of(body, "taskId")).value_or(body);
  }
  std::string about(const std::string& method, const std::string& id, const std::string& more = "") {
    return text(start(method, R"({"taskId":")" + id + "\"" + more + "}"));
  }

  ManualLoop manual;
  FakePeerChannel back{manual.loop().executor};
  TaskScope scope{manual.loop().executor, manual.log(), "test"};
  std::shared_ptr<SlowBackend> server = std::make_shared<SlowBackend>(manual.loop().executor);
  std::shared_ptr<OfferedTasks> tasks = std::make_shared<OfferedTasks>();
  BackendWithOfferedTasks offering{manual.loop(), scope, server, tasks, 30s};
  bool with_tasks = true;
};

TEST_F(OfferedTasksTest, AQuickCallStaysAPlainOne) {
  server->done = true;
  EXPECT_THAT(text(call()), HasSubstr("content"));
}

TEST_F(OfferedTasksTest, ALongCallBecomesATask) {
  const auto id = task();
  EXPECT_THAT(about("tasks/get", id), HasSubstr(R"("status":"working")"));
  server->finish();
  manual.poll();
  EXPECT_THAT(about("tasks/get", id), AllOf(HasSubstr(R"("status":"completed")"), HasSubstr(R"("content":[])")));
  EXPECT_EQ(about("tasks/cancel", id), "{}");
}

TEST_F(OfferedTasksTest, AClientWithoutTasksWaits) {
  with_tasks = false;
  const auto made = call();
  manual.pass(60s);
  EXPECT_FALSE(made->done());
  server->finish();
  manual.poll();
  EXPECT_THAT(text(made), HasSubstr("content"));
}

TEST_F(OfferedTasksTest, AProtocolErrorIsAFailedTask) {
  const auto id = task();
  server->failure = Error{.kind = ErrorKind::refused, .message = "no paper", .code = -32000};
  server->finish();
  manual.poll();
  EXPECT_THAT(about("tasks/get", id),
              AllOf(HasSubstr(R"("status":"failed")"), HasSubstr("no paper"), HasSubstr("-32000")));
}

TEST_F(OfferedTasksTest, CancellingATaskCancelsItsCall) {
  const auto id = task();
  EXPECT_EQ(about("tasks/cancel", id), "{}");
  manual.poll();
  EXPECT_EQ(server->ends, 1);
  EXPECT_THAT(about("tasks/get", id), HasSubstr(R"("status":"cancelled")"));
}

TEST_F(OfferedTasksTest, AClientThatGivesUpEarlyCancelsTheCall) {
  const auto made = call();
  manual.give_up(made);
  manual.poll();
  EXPECT_EQ(server->ends, 1);
}

TEST_F(OfferedTasksTest, AnUnknownTaskIsRefused) {
  EXPECT_EQ(about("tasks/get", "t1").substr(0, 14), "!unknown task;");
}

TEST_F(OfferedTasksTest, AnEarlyQuestionGoesToTheClientOfTheCall) {
  server->question_first = true;
  const auto made = call();
  manual.pass(60s);
  EXPECT_FALSE(made->done()) << "the call waits for its client";
  back.reply(R"({"action":"accept"})");
  manual.poll();
  EXPECT_THAT(text(made), HasSubstr("taskId"));
}

TEST_F(OfferedTasksTest, Finding_P1_AToolThatRequiresALegacyTaskRunsAsOne) {
  server->legacy = true;
  server->description.capabilities.tasks = json::Payload::trusted("{}");
  server->description.revision = protocol::find_revision("2025-11-25");
  const auto id = task();
  EXPECT_EQ(server->last, R"(tasks/result{"taskId":"t1"})");
  server->finish();
  manual.poll();
  EXPECT_THAT(about("tasks/get", id), AllOf(HasSubstr("completed"), HasSubstr("content")));
}

TEST_F(OfferedTasksTest, ALateRequestOfTheServerIsAQuestionOfTheTask) {
  const auto id = task();
  server->question_now = true;
  server->changed.notify();
  manual.poll();
  EXPECT_THAT(about("tasks/get", id), AllOf(HasSubstr("input_required"), HasSubstr(R"("q0":{"method":"elicitation)")));
  EXPECT_EQ(about("tasks/update", id, R"(,"inputResponses":{"other":{},"q0":{"action":"accept"}})"), "{}");
  EXPECT_THAT(about("tasks/get", id), AllOf(HasSubstr("working"), Not(HasSubstr("q0"))));
  EXPECT_EQ(about("tasks/update", id, R"(,"inputResponses":{"q0":{"action":"decline"}})"), "{}") << "answered before";
  server->finish();
  manual.poll();
  EXPECT_THAT(about("tasks/get", id), HasSubstr(R"("answered":{"action":"accept"})"));
  EXPECT_TRUE(back.requests.empty()) << "the client of the call has gone";
}

}  // namespace
}  // namespace fairlead::gateway::test::offered_tasks_test
