#include "gateway/merge_fixture.hpp"

/// Tasks, and resources that are followed, find their server as long as it is there.
namespace fairlead::gateway::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct MergeTasks : MergeTest {
  FakeMember& with_tasks(const std::string& name, const std::string& tool, const std::string& task) {
    auto& member = add(name).tools({tool});
    member.description.capabilities.tasks = json::Payload::trusted(R"({"list":{},"cancel":{}})");
    return member.answers("tools/call", R"({"task":{"taskId":")" + task + R"(","status":"working"}})")
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

TEST_F(MergeTasks, ATaskIsAskedForWhereItWasBegun) {
  with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  begin("one");
  begin("two");
  EXPECT_EQ(get("tb"), R"({"from":"b"})");
  EXPECT_EQ(get("ta"), R"({"from":"a"})");
  EXPECT_EQ(body("tasks/result", R"({"taskId":"ta"})"), R"({"from":"a"})");
}

TEST_F(MergeTasks, Attack_ATaskThatNobodyHasBegunReachesNobody) {
  auto& a = with_tasks("a", "one", "ta");
  auto& b = with_tasks("b", "two", "tb");
  tools();
  EXPECT_THAT(get("forged"), HasSubstr("there is no such task"));
  EXPECT_THAT(get("b__tb"), HasSubstr("there is no such task"));
  EXPECT_EQ(a.count("tasks/get") + b.count("tasks/get"), 0U);
}

TEST_F(MergeTasks, Attack_ATaskOfSomebodyElseIsLikeOneThatNeverWas) {
  auto& a = with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  begin("one", "anna");
  EXPECT_EQ(get("ta", "mallory"), get("forged", "mallory"));
  EXPECT_EQ(a.count("tasks/get"), 0U);
  EXPECT_EQ(get("ta", "anna"), R"({"from":"a"})");
}

TEST_F(MergeTasks, Attack_AServerThatUsesAnothersIdTakesNothingOver) {
  with_tasks("a", "one", "same");
  auto& b = with_tasks("b", "two", "same");
  tools();
  begin("one");
  begin("two");
  EXPECT_EQ(get("same"), R"({"from":"a"})");
  EXPECT_EQ(b.count("tasks/get"), 0U);
  EXPECT_TRUE(log_.contains("a task has the id of another one"));
}

TEST_F(MergeTasks, Finding_S5_AnUnknownTaskIsNobodysAlsoWhereOneServerAloneHasTasks) {
  auto& a = with_tasks("a", "one", "ta");
  add("b").tools({"two"});
  tools();
  EXPECT_EQ(fault("tasks/get", R"({"taskId":"of an earlier run"})"), Fault::invalid_params);
  EXPECT_EQ(fault("tasks/cancel", R"({"taskId":"of an earlier run"})"), Fault::invalid_params);
  EXPECT_EQ(a.count("tasks/get") + a.count("tasks/cancel"), 0U);
  EXPECT_EQ(body("tasks/list"), R"({"from":"a"})");
}

TEST_F(MergeTasks, Finding_P8_TasksAndSkillsDoNotGoToTheFirstServerThatKnowsTheMethod) {
  auto& a = add("a").tools({"one"}).answers("tasks/update", "{}").answers("skills/list", R"({"skills":[]})");
  auto& b = add("b").tools({"two"}).answers("skills/list", R"({"skills":[]})");
  tools();
  EXPECT_EQ(fault("tasks/update", R"({"taskId":"x"})"), Fault::invalid_params);
  EXPECT_EQ(fault("tasks/list"), Fault::unknown_method);
  for (const auto* method : {"skills/list", "skills/get", "resources/directory/read"}) {
    EXPECT_EQ(fault(method), Fault::unknown_method) << method;
  }
  EXPECT_EQ(a.count("tasks/update") + a.count("skills/list") + b.count("skills/list"), 0U);
}

TEST_F(MergeTasks, Finding_S5_AnOwnTaskIsFoundAgainWhenAReloadReplacesItsServer) {
  with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  begin("one", "anna");
  with_tasks("a", "one", "ta");
  merge().replace({seats_[2], seats_[1]});
  poll();
  EXPECT_EQ(get("ta", "anna"), R"({"from":"a"})");
  EXPECT_THAT(get("ta", "ben"), HasSubstr("there is no such task"));
}

TEST_F(MergeTasks, WhereSeveralHaveThemThereIsNoListOfAll) {
  with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  EXPECT_EQ(fault("tasks/list"), Fault::unknown_method);
}

TEST_F(MergeTasks, ATaskGoesWithItsServer) {
  with_tasks("a", "one", "ta");
  with_tasks("b", "two", "tb");
  tools();
  begin("one");
  merge().replace({seats_[1]});
  poll();
  EXPECT_THAT(get("ta"), HasSubstr("there is no such task"));
}

TEST_F(MergeTasks, Finding_S5_WhoHasTooManyTasksForgetsItsOwnOldest) {
  const CallerId anna{.principal = "anna"}, ben{.principal = "ben"};
  TaskOwners<int> owners({.per_caller = 2, .total = 4});
  EXPECT_TRUE(owners.add("b1", ben, 0));
  for (const auto* id : {"a1", "a2", "a3", "a4"}) EXPECT_TRUE(owners.add(id, anna, 1));
  EXPECT_FALSE(owners.add("a4", ben, 2)) << "nobody takes a task over";
  EXPECT_NE(owners.find("b1"), nullptr);
  EXPECT_EQ(owners.find("a2"), nullptr) << "the caller's own oldest has made room";
  EXPECT_EQ(*owners.find("a4"), 1);
}

TEST_F(MergeTasks, Finding_S5_WhereThereAreTooManyOfAllTheOneWithTheMostForgetsOne) {
  const CallerId anna{.principal = "anna"}, ben{.session = 1};
  TaskOwners<int> owners({.per_caller = 3, .total = 3});
  EXPECT_TRUE(owners.add("b1", ben, 0));
  for (const auto* id : {"a1", "a2", "a3"}) EXPECT_TRUE(owners.add(id, anna, 1));
  EXPECT_NE(owners.find("b1"), nullptr);
  EXPECT_EQ(owners.find("a1"), nullptr);
  owners.put("a3", ben, 5);
  EXPECT_EQ(*owners.find("a3"), 5);
}

struct MergeFollowing : MergeTest {
  FakeMember& with_note(const std::string& name) {
    return add(name)
        .has(ListKind::resources, {R"({"uri":"note://one"})"})
        .answers("resources/subscribe", "{}")
        .answers("resources/unsubscribe", "{}");
  }
  void follow(const std::string& method = "resources/subscribe") {
    Call call{.method = method, .params = json::Payload::trusted(R"({"uri":"note://one"})")};
    call.context.conversation = 7;
    boost::asio::co_spawn(loop_, following(&merge(), std::move(call)), [](const std::exception_ptr&) {});
    poll();
  }
  static Task<void> following(Merge* merge, Call call) { co_await merge->call(call); }
};

TEST_F(MergeFollowing, WhatIsFollowedIsFollowedAgainWhenItsServerIsReplaced) {
  auto& old = with_note("a");
  add("other").tools({"x"});
  FakePeer peer;
  const auto attendance = attend(peer, 7);
  follow();
  EXPECT_EQ(old.count("resources/subscribe"), 1U);
  auto& fresh = with_note("a");
  merge().replace({seats_[2], seats_[1]});
  poll();
  EXPECT_EQ(fresh.count("resources/subscribe"), 1U);
  EXPECT_EQ(old.count("resources/subscribe"), 1U);
}

TEST_F(MergeFollowing, WhatStaysIsNotFollowedTwice) {
  auto& kept = with_note("a");
  add("other").tools({"x"});
  FakePeer peer;
  const auto attendance = attend(peer, 7);
  follow();
  merge().replace({seats_[0]});
  poll();
  EXPECT_EQ(kept.count("resources/subscribe"), 1U);
}

TEST_F(MergeFollowing, WhatIsFollowedNoMoreIsNotFollowedAgain) {
  with_note("a");
  FakePeer peer;
  const auto attendance = attend(peer, 7);
  follow();
  follow("resources/unsubscribe");
  auto& fresh = with_note("a");
  merge().replace({seats_[1]});
  poll();
  EXPECT_EQ(fresh.count("resources/subscribe"), 0U);
}

TEST_F(MergeFollowing, WhoHasGoneFollowsNothing) {
  with_note("a");
  FakePeer peer;
  auto attendance = attend(peer, 7);
  follow();
  attendance.reset();
  auto& fresh = with_note("a");
  merge().replace({seats_[1]});
  poll();
  EXPECT_EQ(fresh.count("resources/subscribe"), 0U);
}

TEST_F(MergeFollowing, WhereNobodyHasItAnyMoreTheLogSaysSo) {
  with_note("a");
  FakePeer peer;
  const auto attendance = attend(peer, 7);
  follow();
  add("b").tools({"x"});
  add("c").tools({"y"});
  merge().replace({seats_[1], seats_[2]});
  poll();
  EXPECT_TRUE(log_.contains("a client follows note://one, which no server has any more"));
}

}  // namespace
}  // namespace fairlead::gateway::test
