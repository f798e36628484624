#include "gateway/merge_fixture.hpp"

/// When servers are asked again, and what happens if they do not answer.
namespace fairlead::gateway::test::merge_freshness_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using MergeFreshness = MergeTest;

TEST_F(MergeFreshness, AListIsAskedForOnce) {
  auto& a = add("a").tools({"one"});
  tools();
  pass(1h);
  tools();
  EXPECT_EQ(a.count("tools/list"), 1u);
}

TEST_F(MergeFreshness, AListIsAskedForAgainWhenItsTimeIsOver) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":1000)");
  tools();
  pass(999ms);
  tools();
  EXPECT_EQ(a.count("tools/list"), 1u);
  a.tools({"two"});
  pass(1ms);
  EXPECT_THAT(tools(), ElementsAre("two"));
  EXPECT_EQ(a.count("tools/list"), 2u);
}

TEST_F(MergeFreshness, AListThatIsNeverGoodForLongIsAskedForEachTime) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":0)");
  tools();
  tools();
  EXPECT_EQ(a.count("tools/list"), 2u);
}

TEST_F(MergeFreshness, AServerThatDoesNotSayWhenItsListChangesIsAskedNowAndThen) {
  auto& a = add("a").tools({"one"});
  a.description.capabilities.tools->listChanged = {};
  tools();
  tools();
  EXPECT_EQ(a.count("tools/list"), 1u);
  pass(1min);
  tools();
  EXPECT_EQ(a.count("tools/list"), 2u);
}

TEST_F(MergeFreshness, ManyWhoWantTheSameListAskForItOnce) {
  auto& a = add("a").tools({"one"});
  a.silent = true;
  std::vector<Pending> all;
  for (int i = 0; i < 10; ++i) all.push_back(start("tools/list"));
  a.release();
  poll();
  for (const auto& each : all) EXPECT_TRUE(*each);
  EXPECT_EQ(a.count("tools/list"), 1u);
  EXPECT_EQ(a.described, 1u);
}

TEST_F(MergeFreshness, Complaint_09_OneBadServerHidesNobody) {
  add("dead").dead = true;
  add("a").tools({"one"});
  add("odd").tools({"x"}).answers("tools/list", [](const std::string&) -> Result<std::string> {
    return std::unexpected(Error{.kind = ErrorKind::refused, .message = "internal", .code = -32603});
  });
  EXPECT_THAT(tools(), ElementsAre("one"));
  EXPECT_THAT(problem_kinds(), ElementsAre(ProblemKind::degraded, ProblemKind::degraded));
  EXPECT_THAT(merge().states()[0].trouble, HasSubstr("it does not run"));
  EXPECT_EQ(merge().states()[1].trouble, "");
}

TEST_F(MergeFreshness, Complaint_09_ASilentServerCostsTheDeadlineOnceAndNothingLater) {
  auto& slow = add("slow").tools({"late"});
  slow.silent = true;
  add("a").tools({"one"});
  const auto first = start("tools/list");
  EXPECT_FALSE(*first);
  pass(4990ms);
  EXPECT_FALSE(*first);
  pass(10ms);
  ASSERT_TRUE(*first);
  EXPECT_EQ((**first)->body.text(), R"({"tools":[{"name":"one","inputSchema":{"type":"object"}}]})");
  EXPECT_EQ(merge().states()[0].trouble, "no answer to tools/list within 5 s");
  EXPECT_THAT(tools(), ElementsAre("one"));
  // What it says in the end counts.
  slow.release();
  poll();
  EXPECT_THAT(tools(), ElementsAre("late", "one"));
  EXPECT_EQ(merge().states()[0].trouble, "");
}

TEST_F(MergeFreshness, Complaint_09_TheLastGoodListOfADeadServerIsStillShown) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":1000,"cacheScope":"public")");
  tools();
  a.dead = true;
  pass(1s);
  EXPECT_THAT(tools(), ElementsAre("one"));
  EXPECT_THAT(problem_kinds(), ElementsAre(ProblemKind::degraded));
  // Nobody should keep it.
  EXPECT_THAT(body("tools/list"), Not(HasSubstr("ttlMs")));
}

TEST_F(MergeFreshness, AnAbsenceIsLoggedOnce) {
  add("dead").dead = true;
  add("a").tools({"one"});
  tools();
  for (int i = 0; i < 5; ++i) {
    pass(10s);
    tools();
  }
  const auto lines = log_.lines();
  EXPECT_EQ(std::ranges::count(lines, "dead", &CapturingSink::Line::component), 1);
  EXPECT_TRUE(log_.contains("it is left out until it answers"));
}

TEST_F(MergeFreshness, AServerThatComesBackIsFoundWithoutBeingAskedFor) {
  auto& a = add("a").tools({"one"});
  a.dead = true;
  add("b").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
  FakePeer peer;
  const auto attendance = attend(peer);
  a.dead = false;
  pass(1s);
  EXPECT_THAT(peer.heard, ElementsAre("notifications/tools/list_changed"));
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
}

TEST_F(MergeFreshness, ADeadServerIsTriedMoreAndMoreSeldom) {
  auto& a = add("a").tools({"one"});
  a.dead = true;
  tools();
  for (int i = 0; i < 600; ++i) pass(1s);
  EXPECT_LT(a.described, 20u);
  EXPECT_GT(a.described, 10u);
}

TEST_F(MergeFreshness, AFetchThatNeverEndsIsGivenUp) {
  auto& a = add("a").tools({"one"});
  a.silent = true;
  start("tools/list");
  pass(5s);
  pass(2min);
  EXPECT_THAT(merge().states()[0].trouble, HasSubstr("no answer before the deadline"));
}

TEST_F(MergeFreshness, Complaint_10_ListsAreWarmBeforeAnybodyAsks) {
  auto& a = add("a").tools({"one"});
  auto& b = add("b").tools({"two"});
  seats_[1].lazy = true;
  merge().warm_up();
  poll();
  EXPECT_EQ(a.count("tools/list"), 1u);
  EXPECT_EQ(b.described, 0u);
  tools();
  EXPECT_EQ(a.count("tools/list"), 1u);
}

TEST_F(MergeFreshness, AnUnknownNameWaitsForASlowServerNoLongerThanTheDeadline) {
  add("slow").tools({"late"}).silent = true;
  add("a").tools({"one"}).answers("tools/call", "{}");
  start("tools/list");
  pass(5s);
  const auto pending = start("tools/call", R"({"name":"late"})");
  EXPECT_FALSE(*pending);
  pass(5s);
  ASSERT_TRUE(*pending);
  EXPECT_EQ(protocol::fault_of((*pending)->error()), Fault::unknown_tool);
  EXPECT_EQ(body("tools/call", R"({"name":"one"})"), "{}");
}

TEST_F(MergeFreshness, AServerThatThrowsIsOneThatFails) {
  add("a").tools({"one"}).answers("tools/list",
                                  [](const std::string&) -> Result<std::string> { throw std::runtime_error("bug"); });
  add("b").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
  EXPECT_THAT(problem_kinds(), ElementsAre(ProblemKind::degraded));
}

TEST_F(MergeFreshness, WhoGivesUpOnAListDoesNotEndItForOthers) {
  auto& a = add("a").tools({"one"});
  a.silent = true;
  TaskScope mine(loop_.get_executor(), log_, "mine");
  const auto list = [](Merge* merge) -> Task<void> {
    Call call{.method = "tools/list"};
    co_await merge->call(call);
  };
  auto asking = mine.spawn(list(&merge()));
  const auto other = start("tools/list");
  asking.cancel();
  poll();
  EXPECT_EQ(mine.count(), 0u);
  a.release();
  poll();
  EXPECT_TRUE(*other);
  EXPECT_EQ(a.count("tools/list"), 1u);
}

}  // namespace
}  // namespace fairlead::gateway::test::merge_freshness_test
