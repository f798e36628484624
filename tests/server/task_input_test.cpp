#include <fairlead/server/context.hpp>

#include "server/task_fixture.hpp"

namespace fairlead::server::test::task_input_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct Confirm {
  bool yes = false;
};

constexpr auto yes = R"({"action":"accept","content":{"yes":true}})";

struct TaskInputTest : TaskFixture {
  int plans = 0;

  TaskInputTest() {
    app.tool("deploy", task_options(TaskMode::optional), [this](Context& context) -> Task<std::string> {
      const auto plan = co_await context.once("plan", [this] { return ++plans; });
      const auto first = co_await context.elicit<Confirm>("Deploy?");
      co_return std::string(first.yes ? "deployed" : "kept") + " by plan " + std::to_string(plan);
    });
    app.tool("two", task_options(TaskMode::optional), [](Context& context) -> Task<std::string> {
      auto [a, b] = co_await context.request_all(elicit_form<Confirm>("?", "a"), elicit_form<Confirm>("?", "b"));
      co_return std::string(a.yes && b.yes ? "both" : "not both");
    });
  }
};

TEST_F(TaskInputTest, AsksOnTheTaskAndGoesOnWithTheAnswer) {
  const auto id = task_of("deploy");
  const auto task = wait_for(id, TaskStatus::input_required);
  ASSERT_TRUE(task.inputRequests && task.inputRequests->contains("q0"));
  EXPECT_EQ(task.inputRequests->at("q0").method, "elicitation/create");
  const auto ack = answer(id, R"({"q0":)" + std::string(yes) + "}");
  ASSERT_TRUE(ack);
  EXPECT_EQ(ack->body.text(), "{}");
  const auto ended = wait_for(id, TaskStatus::completed);
  EXPECT_EQ(text_of(std::string(ended.result->text())), "deployed by plan 1");
  EXPECT_FALSE(ended.inputRequests);
}

TEST_F(TaskInputTest, ShowsOnlyTheQuestionsWithoutAnAnswer) {
  const auto id = task_of("two");
  EXPECT_EQ(wait_for(id, TaskStatus::input_required).inputRequests->size(), 2U);
  ASSERT_TRUE(answer(id, R"({"a":)" + std::string(yes) + "}"));
  const auto half = get(id);
  EXPECT_EQ(half.status, TaskStatus::input_required);
  EXPECT_TRUE(half.inputRequests->contains("b"));
  EXPECT_EQ(half.inputRequests->size(), 1U);
  ASSERT_TRUE(answer(id, R"({"b":)" + std::string(yes) + "}"));
  EXPECT_EQ(text_of(std::string(wait_for(id, TaskStatus::completed).result->text())), "both");
}

TEST_F(TaskInputTest, IgnoresUnknownAndAnsweredKeys) {
  const auto id = task_of("two");
  wait_for(id, TaskStatus::input_required);
  EXPECT_TRUE(answer(id, R"({"other":1})"));
  EXPECT_TRUE(answer(id, R"({"a":)" + std::string(yes) + "}"));
  EXPECT_TRUE(answer(id, R"({"a":{"action":"decline"}})"));
  EXPECT_TRUE(answer(id, R"({"b":)" + std::string(yes) + "}"));
  EXPECT_EQ(text_of(std::string(wait_for(id, TaskStatus::completed).result->text())), "both");
  EXPECT_TRUE(answer(id, R"({"b":{"action":"decline"}})"));
  EXPECT_EQ(get(id).status, TaskStatus::completed);
}

// A key is used once in the life of a task.
TEST_F(TaskInputTest, AsksAgainUnderANewKeyIfAnAnswerDoesNotFit) {
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  ASSERT_TRUE(answer(id, R"({"q0":{"action":"accept","content":{"yes":"maybe"}}})"));
  const auto again = wait_for(id, TaskStatus::input_required);
  EXPECT_TRUE(again.inputRequests->contains("q0.2"));
  EXPECT_EQ(again.inputRequests->size(), 1U);
  ASSERT_TRUE(answer(id, R"({"q0.2":)" + std::string(yes) + "}"));
  wait_for(id, TaskStatus::completed);
}

TEST_F(TaskInputTest, CancelEndsATaskThatWaitsForAnAnswer) {
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  ASSERT_TRUE(request("tasks/cancel", with_id(id)));
  EXPECT_FALSE(wait_for(id, TaskStatus::cancelled).inputRequests);
}

TEST_F(TaskInputTest, AnswerAndCancelAtOnceEndTheTask) {
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  const auto answered = start("tasks/update", R"({"taskId":")" + id + R"(","inputResponses":{"q0":)" + yes + "}}");
  const auto cancelled = start("tasks/cancel", with_id(id));
  EXPECT_TRUE(loop->finish(answered));
  EXPECT_TRUE(loop->finish(cancelled));
  const auto task = wait_for_any(id, {TaskStatus::completed, TaskStatus::cancelled});
  EXPECT_EQ(task.result.has_value(), task.status == TaskStatus::completed);
}

TEST_F(TaskInputTest, AsksInRoundsBeforeItIsATask) {
  app.tool("by_hand", task_options(TaskMode::optional, TaskPolicy::by_hand),
           [this](Context& context) -> Task<std::string> {
             const auto plan = co_await context.once("plan", [this] { return ++plans; });
             const auto sure = co_await context.elicit<Confirm>("Sure?");
             const bool is_task = co_await context.become_task();
             const auto really = co_await context.elicit<Confirm>("Really?");
             co_return std::string(is_task && sure.yes && really.yes ? "yes" : "no") + std::to_string(plan);
           });
  const auto round = call("by_hand");
  ASSERT_TRUE(round);
  EXPECT_EQ(round->kind, protocol::ResultKind::input_required);
  const auto state = json::decode<protocol::InputRequiredResult>(round->body)->requestState;
  json::ObjectEdit params(R"({"name":"by_hand","arguments":{}})");
  params.set("inputResponses", R"({"q0":)" + std::string(yes) + "}").set("requestState", json::encode(*state));
  const auto handle = request("tools/call", params.text());
  ASSERT_TRUE(handle);
  ASSERT_EQ(handle->other_kind, "task");
  const auto id = json::decode<ExtensionTask>(handle->body)->taskId;
  EXPECT_TRUE(wait_for(id, TaskStatus::input_required).inputRequests->contains("q1"));
  ASSERT_TRUE(answer(id, R"({"q1":)" + std::string(yes) + "}"));
  EXPECT_EQ(text_of(std::string(wait_for(id, TaskStatus::completed).result->text())), "yes1");
}

TEST_F(TaskInputTest, FailsForAClientThatCannotAnswer) {
  declare(R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})");
  const auto task = wait_for(task_of("deploy"), TaskStatus::failed);
  EXPECT_THAT(std::string(task.error->text()), HasSubstr("-32021"));
}

}  // namespace
}  // namespace fairlead::server::test::task_input_test
