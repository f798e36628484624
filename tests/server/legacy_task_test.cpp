#include <fairlead/server/context.hpp>

#include "server/task_fixture.hpp"

/// Tasks of 2025-11-25: the client asks for a task, and fetches its result with tasks/result.
namespace fairlead::server::test::legacy_task_test {
namespace {

using namespace std::chrono_literals;
using protocol::LegacyTask;
using testing::HasSubstr;

struct Confirm {
  bool yes = false;
};

struct LegacyTaskTest : TaskFixture {
  LegacyTaskTest() {
    request_context.revision = protocol::find_revision("2025-11-25");
    declare(R"({"elicitation":{"form":{}}})");
    add_waiting_tool(TaskMode::optional, 500ms);
  }

  Result<Reply> call_with_task(const std::string& tool, const std::string& task = "{}") {
    return request("tools/call", R"({"name":")" + tool + R"(","arguments":{},"task":)" + task + "}");
  }
  LegacyTask begin(const std::string& tool, const std::string& task = "{}") {
    const auto reply = call_with_task(tool, task);
    EXPECT_TRUE(reply) << (reply ? "" : reply.error().message);
    const auto created = reply ? json::decode<protocol::CreateTaskResult>(reply->body)
                               : Result<protocol::CreateTaskResult>(std::unexpected(reply.error()));
    EXPECT_TRUE(created) << (reply ? reply->body.text() : "");
    return created ? created->task : LegacyTask();
  }
  LegacyTask shown(const std::string& id) {
    const auto reply = request("tasks/get", with_id(id));
    EXPECT_TRUE(reply) << (reply ? "" : reply.error().message);
    return reply ? *json::decode<LegacyTask>(reply->body) : LegacyTask();
  }
  Result<Reply> result_of(const std::string& id) { return request("tasks/result", with_id(id)); }
};

TEST_F(LegacyTaskTest, TheClientDecides) {
  gate = true;
  EXPECT_EQ(text_of(std::string(call("wait")->body.text())), "done");
  const auto task = begin("wait");
  EXPECT_EQ(task.status, TaskStatus::working);
  EXPECT_EQ(task.taskId.size(), 22U);
  EXPECT_GT(std::get<std::int64_t>(task.ttl), 0);
}

TEST_F(LegacyTaskTest, ResultWaitsForTheEndAndNamesTheTask) {
  const auto task = begin("wait");
  auto waiting = start("tasks/result", with_id(task.taskId));
  EXPECT_EQ(shown(task.taskId).status, TaskStatus::working);
  open_gate();
  const auto reply = loop->finish(std::move(waiting));
  ASSERT_TRUE(reply);
  EXPECT_EQ(text_of(std::string(reply->body.text())), "done");
  EXPECT_THAT(std::string(reply->body.text()),
              HasSubstr(R"("io.modelcontextprotocol/related-task":{"taskId":")" + task.taskId + "\"}"));
  EXPECT_EQ(shown(task.taskId).status, TaskStatus::completed);
  EXPECT_TRUE(result_of(task.taskId)) << "the result can be fetched again";
}

TEST_F(LegacyTaskTest, FailedToolIsAFailedTaskWithAResult) {
  app.tool("fail", task_options(TaskMode::optional), [](Context&) -> std::string { throw std::runtime_error("no"); });
  const auto task = begin("fail");
  const auto reply = result_of(task.taskId);
  ASSERT_TRUE(reply);
  EXPECT_THAT(std::string(reply->body.text()), HasSubstr(R"("isError":true)"));
  EXPECT_EQ(shown(task.taskId).status, TaskStatus::failed);
}

TEST_F(LegacyTaskTest, AsksTheClientWhileItWaitsForTheResult) {
  app.tool("deploy", task_options(TaskMode::required), [](Context& context) -> Task<std::string> {
    const auto answer = co_await context.elicit<Confirm>("Deploy?");
    co_return answer.yes ? "deployed" : "kept";
  });
  const auto task = begin("deploy");
  channel.answers.push_back(std::string(R"({"action":"accept","content":{"yes":true}})"));
  const auto reply = result_of(task.taskId);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(text_of(std::string(reply->body.text())), "deployed");
  ASSERT_EQ(channel.requests.size(), 1U);
  EXPECT_EQ(channel.requests[0].method, "elicitation/create");
  EXPECT_THAT(channel.requests[0].params, HasSubstr("related-task\":{\"taskId\":\"" + task.taskId));
}

TEST_F(LegacyTaskTest, QuestionWithoutAnAnswerStaysOpen) {
  app.tool("deploy", task_options(TaskMode::optional), [](Context& context) -> Task<std::string> {
    const auto answer = co_await context.elicit<Confirm>("Deploy?");
    co_return answer.yes ? "deployed" : "kept";
  });
  const auto task = begin("deploy");
  channel.answers.push_back(fail(ErrorKind::closed, "gone"));
  EXPECT_FALSE(result_of(task.taskId));
  EXPECT_EQ(shown(task.taskId).status, TaskStatus::input_required);
  channel.answers.push_back(std::string(R"({"action":"accept","content":{"yes":true}})"));
  EXPECT_EQ(text_of(std::string(result_of(task.taskId)->body.text())), "deployed");
}

TEST_F(LegacyTaskTest, MisuseOfTheModeIsRefused) {
  app.tool("now", ToolOptions{}, [] { return 1; });
  app.tool("later", task_options(TaskMode::required), [] { return 1; });
  EXPECT_EQ(error_of("tools/call", R"({"name":"now","arguments":{},"task":{}})"), ProtocolError::unknown_method);
  EXPECT_EQ(error_of("tools/call", R"({"name":"later","arguments":{}})"), ProtocolError::unknown_method);
}

TEST_F(LegacyTaskTest, CancelsBeforeItAnswersAndOnlyOnce) {
  const auto task = begin("wait");
  auto waiting = start("tasks/result", with_id(task.taskId));
  const auto cancelled = request("tasks/cancel", with_id(task.taskId));
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(json::decode<LegacyTask>(cancelled->body)->status, TaskStatus::cancelled);
  EXPECT_FALSE(loop->finish(std::move(waiting)));
  EXPECT_EQ(error_of("tasks/cancel", with_id(task.taskId)), ProtocolError::invalid_params);
}

TEST_F(LegacyTaskTest, TakesAShorterLifetimeFromTheClient) {
  EXPECT_EQ(std::get<std::int64_t>(begin("wait", R"({"ttl":400000})").ttl), 400000);
  EXPECT_EQ(std::get<std::int64_t>(begin("wait", R"({"ttl":999999999})").ttl), 3600000);
}

TEST_F(LegacyTaskTest, DeclaresTasksInInitializeOnly) {
  const auto initialize =
      R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})";
  EXPECT_THAT(std::string(request("initialize", initialize)->body.text()),
              HasSubstr(R"("tasks":{"cancel":{},"requests":{"tools":{"call":{}}}})"));
  EXPECT_THAT(std::string(request("tools/list", "{}")->body.text()),
              HasSubstr(R"("execution":{"taskSupport":"optional"})"));
  request_context.revision = protocol::find_revision("2025-06-18");
  EXPECT_THAT(std::string(request("initialize", initialize)->body.text()), Not(HasSubstr("tasks")));
  EXPECT_THAT(std::string(request("tools/list", "{}")->body.text()), Not(HasSubstr("taskSupport")));
  EXPECT_EQ(error_of("tasks/get", with_id("x")), ProtocolError::unknown_method);
  request_context.revision = &stateless();
  EXPECT_THAT(std::string(request("server/discover", "{}")->body.text()), Not(HasSubstr(R"("tasks":{)")));
  EXPECT_THAT(std::string(request("tools/list", "{}")->body.text()), Not(HasSubstr("taskSupport")));
  EXPECT_EQ(error_of("tasks/result", with_id("x")), ProtocolError::unknown_method);
  EXPECT_EQ(error_of("tasks/list", "{}"), ProtocolError::unknown_method);
}

TEST_F(LegacyTaskTest, ListsTheTasksOfAnAuthenticatedCaller) {
  EXPECT_EQ(error_of("tasks/list", "{}"), ProtocolError::unknown_method);
  request_context.principal = "ann";
  const auto first = begin("wait").taskId;
  const auto second = begin("wait").taskId;
  request_context.principal = "bob";
  begin("wait");
  request_context.principal = "ann";
  const auto listed = request("tasks/list", "{}");
  ASSERT_TRUE(listed);
  const auto tasks = json::decode<protocol::ListTasksResult>(listed->body)->tasks;
  std::vector<std::string> ids;
  for (const auto& task : tasks) ids.push_back(task.taskId);
  EXPECT_THAT(ids, testing::UnorderedElementsAre(first, second));
  EXPECT_EQ(error_of("tasks/list", R"({"cursor":"none"})"), ProtocolError::bad_cursor);
}

TEST_F(LegacyTaskTest, TaskOfOneEraIsUnknownInTheOther) {
  const auto legacy = begin("wait").taskId;
  request_context.revision = &stateless();
  declare(task_capabilities);
  EXPECT_EQ(error_of("tasks/get", with_id(legacy)), ProtocolError::invalid_params);
  const auto task = task_of("wait");
  request_context.revision = protocol::find_revision("2025-11-25");
  EXPECT_EQ(error_of("tasks/get", with_id(task)), ProtocolError::invalid_params);
  EXPECT_EQ(error_of("tasks/result", with_id(task)), ProtocolError::invalid_params);
}

}  // namespace
}  // namespace fairlead::server::test::legacy_task_test
