#include <fairlead/base/asio_task.hpp>

#include "gateway/fixtures/aggregator_fixture.hpp"

/// Routing of tasks, and renewal of subscriptions after a reload.
namespace fairlead::gateway::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct TaskRoutingTest : AggregatorTest {
  FakeBackend& with_tasks(const std::string& name, const std::string& tool, const std::string& task) {
    auto& backend = add(name).tools({tool});
    backend.description.capabilities.tasks = json::Payload::trusted(R"({"list":{},"cancel":{}})");
    return backend.answers("tools/call", R"({"task":{"taskId":")" + task + R"(","status":"working"}})")
        .answers("tasks/get", R"({"from":")" + name + "\"}")
        .answers("tasks/result", R"({"from":")" + name + "\"}")
        .answers("tasks/list", R"({"from":")" + name + "\"}");
  }
  std::string begin(const std::string& tool, const std::string& principal = {}) {
    return body("tools/call", R"({"name":")" + tool + R"(","task":{"ttl":1000}})", principal);
  }
  std::string get(const std::string& task, const std::string& principal = {}) {
    return body("tasks/get", R"({"taskId":")" + task + "\"}", principal);
  }
};

TEST_F(TaskRoutingTest, RoutesATaskToTheServerThatStartedIt) {
  with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  begin("one");
  begin("two");
  EXPECT_EQ(get("tb"), R"({"from":"b"})");
  EXPECT_EQ(get("ta"), R"({"from":"a"})");
  EXPECT_EQ(body("tasks/result", R"({"taskId":"ta"})"), R"({"from":"a"})");
}

TEST_F(TaskRoutingTest, Attack_RejectsATaskThatWasNotStarted) {
  auto& a = with_tasks("a", "one", "ta");
  auto& b = with_tasks("b", "two", "tb");
  tools();
  EXPECT_THAT(get("forged"), HasSubstr("unknown task"));
  EXPECT_THAT(get("b__tb"), HasSubstr("unknown task"));
  EXPECT_EQ(a.count("tasks/get") + b.count("tasks/get"), 0U);
}

TEST_F(TaskRoutingTest, Attack_HidesATaskOfAnotherCaller) {
  auto& a = with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  begin("one", "anna");
  EXPECT_EQ(get("ta", "mallory"), get("forged", "mallory"));
  EXPECT_EQ(a.count("tasks/get"), 0U);
  EXPECT_EQ(get("ta", "anna"), R"({"from":"a"})");
}

TEST_F(TaskRoutingTest, Attack_AServerCannotTakeOverATaskId) {
  with_tasks("a", "one", "same");
  auto& b = with_tasks("b", "two", "same");
  tools();
  begin("one");
  begin("two");
  EXPECT_EQ(get("same"), R"({"from":"a"})");
  EXPECT_EQ(b.count("tasks/get"), 0U);
  EXPECT_TRUE(log_.contains("a task has the same id as a task of another server"));
}

TEST_F(TaskRoutingTest, Finding_S5_RejectsAnUnknownTaskEvenWithASingleTaskServer) {
  auto& a = with_tasks("a", "one", "ta");
  add("b").tools({"two"});
  tools();
  EXPECT_EQ(fault("tasks/get", R"({"taskId":"of an earlier run"})"), ProtocolError::invalid_params);
  EXPECT_EQ(fault("tasks/cancel", R"({"taskId":"of an earlier run"})"), ProtocolError::invalid_params);
  EXPECT_EQ(a.count("tasks/get") + a.count("tasks/cancel"), 0U);
  EXPECT_EQ(body("tasks/list"), R"({"from":"a"})");
}

TEST_F(TaskRoutingTest, Finding_P8_DoesNotRouteTasksAndSkillsToTheFirstServer) {
  auto& a = add("a").tools({"one"}).answers("tasks/update", "{}").answers("skills/list", R"({"skills":[]})");
  auto& b = add("b").tools({"two"}).answers("skills/list", R"({"skills":[]})");
  tools();
  EXPECT_EQ(fault("tasks/update", R"({"taskId":"x"})"), ProtocolError::invalid_params);
  EXPECT_EQ(fault("tasks/list"), ProtocolError::unknown_method);
  EXPECT_EQ(fault("skills/list"), ProtocolError::unknown_method) << "no server declares skills";
  for (const auto* method : {"skills/get", "resources/directory/read"}) {
    EXPECT_EQ(fault(method, R"({"uri":"skill://x/SKILL.md"})"), ProtocolError::invalid_params) << method;
  }
  EXPECT_EQ(a.count("tasks/update") + a.count("skills/list") + b.count("skills/list"), 0U);
}

TEST_F(TaskRoutingTest, Finding_S5_FindsAnOwnTaskAfterAReload) {
  with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  begin("one", "anna");
  with_tasks("a", "one", "ta");
  aggregator().replace({slots_[2], slots_[1]});
  poll();
  EXPECT_EQ(get("ta", "anna"), R"({"from":"a"})");
  EXPECT_THAT(get("ta", "ben"), HasSubstr("unknown task"));
}

TEST_F(TaskRoutingTest, RefusesToListTasksOfSeveralServers) {
  with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  EXPECT_EQ(fault("tasks/list"), ProtocolError::unknown_method);
}

TEST_F(TaskRoutingTest, ForgetsTasksOfARemovedServer) {
  with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  begin("one");
  aggregator().replace({slots_[1]});
  poll();
  EXPECT_THAT(get("ta"), HasSubstr("unknown task"));
}

TEST_F(TaskRoutingTest, Finding_S5_ACallerAtItsLimitLosesItsOldestTask) {
  const CallerId anna{.principal = "anna"}, ben{.principal = "ben"};
  TaskOwners<int> owners({.per_caller = 2, .total = 4});
  EXPECT_TRUE(owners.add("b1", ben, 0));
  for (const auto* id : {"a1", "a2", "a3", "a4"}) EXPECT_TRUE(owners.add(id, anna, 1));
  EXPECT_FALSE(owners.add("a4", ben, 2)) << "a task cannot be taken over";
  EXPECT_NE(owners.find("b1"), nullptr);
  EXPECT_EQ(owners.find("a2"), nullptr) << "the caller's oldest task was removed";
  EXPECT_EQ(*owners.find("a4"), 1);
}

TEST_F(TaskRoutingTest, Finding_S5_AtTheTotalLimitTheLargestCallerLosesATask) {
  const CallerId anna{.principal = "anna"}, ben{.session = 1};
  TaskOwners<int> owners({.per_caller = 3, .total = 3});
  EXPECT_TRUE(owners.add("b1", ben, 0));
  for (const auto* id : {"a1", "a2", "a3"}) EXPECT_TRUE(owners.add(id, anna, 1));
  EXPECT_NE(owners.find("b1"), nullptr);
  EXPECT_EQ(owners.find("a1"), nullptr);
  owners.replace("a3", ben, 5);
  EXPECT_EQ(*owners.find("a3"), 5);
}

struct ResubscribeTest : AggregatorTest {
  FakeBackend& with_note(const std::string& name) {
    return add(name)
        .has(ListKind::resources, {R"({"uri":"note://one"})"})
        .answers("resources/subscribe", "{}")
        .answers("resources/unsubscribe", "{}");
  }
  void follow(const std::string& method = "resources/subscribe") {
    Call call{.method = method, .params = json::Payload::trusted(R"({"uri":"note://one"})")};
    call.context.session_key = 7;
    async_start(loop_, following(&aggregator(), std::move(call)), [](const std::exception_ptr&) {});
    poll();
  }
  static Task<void> following(Aggregator* aggregator, Call call) { co_await aggregator->call(call); }
};

TEST_F(ResubscribeTest, ResubscribesWhenTheServerIsReplaced) {
  auto& old = with_note("a");
  add("other").tools({"x"});
  FakePeer peer;
  const auto hook = open_session(peer, 7);
  follow();
  EXPECT_EQ(old.count("resources/subscribe"), 1U);
  auto& fresh = with_note("a");
  aggregator().replace({slots_[2], slots_[1]});
  poll();
  EXPECT_EQ(fresh.count("resources/subscribe"), 1U);
  EXPECT_EQ(old.count("resources/subscribe"), 1U);
}

TEST_F(ResubscribeTest, DoesNotResubscribeAnUnchangedServer) {
  auto& kept = with_note("a");
  add("other").tools({"x"});
  FakePeer peer;
  const auto hook = open_session(peer, 7);
  follow();
  aggregator().replace({slots_[0]});
  poll();
  EXPECT_EQ(kept.count("resources/subscribe"), 1U);
}

TEST_F(ResubscribeTest, DoesNotRenewAnEndedSubscription) {
  with_note("a");
  FakePeer peer;
  const auto hook = open_session(peer, 7);
  follow();
  follow("resources/unsubscribe");
  auto& fresh = with_note("a");
  aggregator().replace({slots_[1]});
  poll();
  EXPECT_EQ(fresh.count("resources/subscribe"), 0U);
}

TEST_F(ResubscribeTest, DoesNotRenewSubscriptionsOfAClosedSession) {
  with_note("a");
  FakePeer peer;
  auto hook = open_session(peer, 7);
  follow();
  hook.reset();
  auto& fresh = with_note("a");
  aggregator().replace({slots_[1]});
  poll();
  EXPECT_EQ(fresh.count("resources/subscribe"), 0U);
}

TEST_F(ResubscribeTest, LogsASubscriptionThatIsLost) {
  with_note("a");
  FakePeer peer;
  const auto hook = open_session(peer, 7);
  follow();
  add("b").tools({"x"});
  add("c").tools({"y"});
  aggregator().replace({slots_[1], slots_[2]});
  poll();
  EXPECT_TRUE(log_.contains("the subscription of a client to note://one was lost"));
}

}  // namespace
}  // namespace fairlead::gateway::test
