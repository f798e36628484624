#include "gateway/upstream/absorbed_tasks.hpp"

#include "gateway/fixtures/aggregator_fixture.hpp"
#include "gateway/fixtures/manual_loop.hpp"

/// Tasks of a server whose client knows no tasks.
namespace fairlead::gateway::test::absorbed_tasks_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct AbsorbedTasksTest : testing::Test {
  using Outcome = std::shared_ptr<Started<Result<Reply>>>;

  AbsorbedTasksTest() {
    server->starts_tasks = true;
    server->answers("tools/call", task_in("working"));
    server->answers("tasks/get", [this](const std::string&) -> Result<std::string> {
      if (failure) return std::unexpected(*failure);
      return task;
    });
    server->answers("tasks/update", "{}").answers("tasks/cancel", "{}");
  }

  static std::string task_in(const std::string& status, const std::string& more = "") {
    return R"({"taskId":"t1","status":")" + status +
           R"(","createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollIntervalMs":500)" + more + "}";
  }
  static Task<Result<Reply>> calling(session::Service* service, Call call) { co_return co_await service->call(call); }
  Outcome start(const std::string& revision = "2025-11-25") {
    auto call = call_in(revision, "tools/call", R"({"name":"film"})");
    call.context.peer = &back;
    call.context.id = jsonrpc::Id(1);
    call.context.progress_token = jsonrpc::Id(9);
    auto caller = std::make_shared<protocol::ClientIdentity>();
    if (elicits) caller->capabilities.elicitation.emplace();
    call.context.caller = caller;
    return manual.start(calling(&absorbing, std::move(call)));
  }
  static std::string text(const Outcome& outcome) {
    if (!outcome->value) return "no answer";
    return *outcome->value ? std::string((*outcome->value)->body.text()) : "!" + outcome->value->error().message;
  }
  static constexpr auto question = R"(,"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?"}}})";

  ManualLoop manual;
  FakePeerChannel back{manual.loop().executor};
  std::shared_ptr<FakeBackend> server = std::make_shared<FakeBackend>(manual.io(), "far");
  BackendWithAbsorbedTasks absorbing{manual.loop(), server, {.max_time = 1min, .max_failures = 2}};
  std::string task = task_in("working");
  std::optional<Error> failure = {};
  bool elicits = false;
};

TEST_F(AbsorbedTasksTest, TheClientGetsTheResultOfTheTask) {
  const auto made = start();
  EXPECT_TRUE(server->last_caller->capabilities.extensions->contains("io.modelcontextprotocol/tasks"));
  EXPECT_FALSE(made->done());
  task = task_in("completed", R"(,"result":{"content":[]})");
  manual.pass(500ms);
  EXPECT_EQ(text(made), R"({"content":[]})");
  EXPECT_EQ(server->count("tasks/cancel"), 0U);
}

TEST_F(AbsorbedTasksTest, AClientWithTasksGetsTheTask) {
  auto call = call_in("2026-07-28", "tools/call", R"({"name":"film"})");
  auto caller = std::make_shared<protocol::ClientIdentity>();
  caller->capabilities.extensions = {{{"io.modelcontextprotocol/tasks", json::Payload::trusted("{}")}}};
  call.context.caller = caller;
  EXPECT_THAT(text(manual.start(calling(&absorbing, std::move(call)))), HasSubstr("t1"));
}

TEST_F(AbsorbedTasksTest, StatusTextsAreSentAsProgress) {
  start();
  task = task_in("working", R"(,"statusMessage":"rendering")");
  manual.pass(500ms);
  manual.pass(500ms);
  EXPECT_THAT(back.notifications,
              ElementsAre(R"(notifications/progress {"progressToken":9,"progress":1,"message":"rendering"})"));
  // The call must end before the event loop of the test.
  task = task_in("completed", R"(,"result":{})");
  manual.pass(500ms);
}

TEST_F(AbsorbedTasksTest, QuestionsGoToTheClientOnce) {
  elicits = true;
  back.answer = R"({"action":"accept"})";
  const auto made = start();
  task = task_in("input_required", question);
  manual.pass(500ms);
  manual.pass(500ms);
  EXPECT_THAT(back.requests, ElementsAre("elicitation/create"));
  EXPECT_EQ(server->count("tasks/update"), 1U);
  EXPECT_EQ(server->last("tasks/update"), R"({"taskId":"t1","inputResponses":{"q":{"action":"accept"}}})");
  task = task_in("completed", R"(,"result":{})");
  manual.pass(500ms);
  EXPECT_EQ(text(made), "{}");
}

TEST_F(AbsorbedTasksTest, AQuestionThatTheClientCannotAnswerEndsTheTask) {
  const auto made = start();
  task = task_in("input_required", question);
  manual.pass(500ms);
  EXPECT_THAT(text(made), HasSubstr("elicitation"));
  EXPECT_EQ(server->count("tasks/cancel"), 1U);
}

TEST_F(AbsorbedTasksTest, AFailedTaskIsAnErrorAndACancelledOneToo) {
  auto made = start();
  task = task_in("failed", R"(,"error":{"code":-32000,"message":"no paper","data":{"a":1}})");
  manual.pass(500ms);
  ASSERT_TRUE(made->value && !*made->value);
  EXPECT_EQ(made->value->error().code, -32000);
  EXPECT_EQ(made->value->error().message, "no paper");
  EXPECT_EQ(made->value->error().data, R"({"a":1})");
  made = start();
  task = task_in("cancelled");
  manual.pass(500ms);
  EXPECT_THAT(text(made), HasSubstr("cancelled the task"));
}

TEST_F(AbsorbedTasksTest, AClientThatGivesUpCancelsTheTaskOnce) {
  const auto made = start();
  manual.pass(500ms);
  manual.give_up(made);
  EXPECT_EQ(server->count("tasks/cancel"), 1U);
  const auto polls = server->count("tasks/get");
  manual.pass(10s);
  EXPECT_EQ(server->count("tasks/get"), polls);
}

TEST_F(AbsorbedTasksTest, ATaskThatTakesTooLongIsCancelled) {
  const auto made = start();
  for (int second = 0; second < 62; ++second) manual.pass(1s);
  EXPECT_THAT(text(made), AllOf(HasSubstr("did not finish the task"), HasSubstr("far")));
  EXPECT_EQ(server->count("tasks/cancel"), 1U);
}

TEST_F(AbsorbedTasksTest, ALostConnectionIsNotALostTask) {
  const auto made = start();
  failure = Error{.kind = ErrorKind::closed, .message = "lost"};
  manual.pass(500ms);
  EXPECT_FALSE(made->done());
  failure.reset();
  task = task_in("completed", R"(,"result":{})");
  manual.pass(1s);
  EXPECT_EQ(text(made), "{}");
}

TEST_F(AbsorbedTasksTest, AForgottenTaskFailsAtOnce) {
  const auto made = start();
  failure = Error{.kind = ErrorKind::refused, .message = "unknown task", .code = -32602};
  manual.pass(500ms);
  EXPECT_EQ(text(made), "!unknown task");
  EXPECT_EQ(server->count("tasks/cancel"), 0U);
}

}  // namespace
}  // namespace fairlead::gateway::test::absorbed_tasks_test
