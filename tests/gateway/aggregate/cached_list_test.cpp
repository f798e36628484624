#include "gateway/fixtures/aggregator_fixture.hpp"

/// When lists are fetched again, and what happens if a server does not answer.
namespace fairlead::gateway::test::cached_list_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using CachedListTest = AggregatorTest;

TEST_F(CachedListTest, FetchesAListOnce) {
  auto& a = add("a").tools({"one"});
  tools();
  pass(1h);
  tools();
  EXPECT_EQ(a.count("tools/list"), 1u);
}

TEST_F(CachedListTest, FetchesAListAgainWhenItExpires) {
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

TEST_F(CachedListTest, FetchesAListWithoutTtlEachTime) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":0)");
  tools();
  tools();
  EXPECT_EQ(a.count("tools/list"), 2u);
}

TEST_F(CachedListTest, RefreshesListsOfServersThatDoNotAnnounceChanges) {
  auto& a = add("a").tools({"one"});
  a.description.capabilities.tools->listChanged = {};
  tools();
  tools();
  EXPECT_EQ(a.count("tools/list"), 1u);
  pass(1min);
  tools();
  EXPECT_EQ(a.count("tools/list"), 2u);
}

TEST_F(CachedListTest, SharesOneFetchBetweenConcurrentRequests) {
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

TEST_F(CachedListTest, Complaint_09_ABadServerDoesNotHideOthers) {
  add("dead").dead = true;
  add("a").tools({"one"});
  add("odd").tools({"x"}).answers("tools/list", [](const std::string&) -> Result<std::string> {
    return std::unexpected(Error{.kind = ErrorKind::refused, .message = "internal", .code = -32603});
  });
  EXPECT_THAT(tools(), ElementsAre("one"));
  EXPECT_THAT(problem_kinds(), ElementsAre(ProblemKind::degraded, ProblemKind::degraded));
  EXPECT_THAT(aggregator().states()[0].problem, HasSubstr("it does not run"));
  EXPECT_EQ(aggregator().states()[1].problem, "");
}

TEST_F(CachedListTest, Complaint_09_WaitsForASilentServerOnce) {
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
  EXPECT_EQ(aggregator().states()[0].problem, "no answer to tools/list within 5 s");
  EXPECT_THAT(tools(), ElementsAre("one"));
  // The late answer is used.
  slow.release();
  poll();
  EXPECT_THAT(tools(), ElementsAre("late", "one"));
  EXPECT_EQ(aggregator().states()[0].problem, "");
}

TEST_F(CachedListTest, Complaint_09_KeepsTheLastListOfADeadServer) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":1000,"cacheScope":"public")");
  tools();
  a.dead = true;
  pass(1s);
  EXPECT_THAT(tools(), ElementsAre("one"));
  EXPECT_THAT(problem_kinds(), ElementsAre(ProblemKind::degraded));
  // Clients should not cache it.
  EXPECT_THAT(body("tools/list"), Not(HasSubstr("ttlMs")));
}

TEST_F(CachedListTest, LogsAMissingServerOnce) {
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

TEST_F(CachedListTest, FindsAServerThatRecoversWithoutARequest) {
  auto& a = add("a").tools({"one"});
  a.dead = true;
  add("b").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
  FakePeer peer;
  const auto hook = open_session(peer);
  a.dead = false;
  pass(1s);
  EXPECT_THAT(peer.received, ElementsAre("notifications/tools/list_changed"));
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
}

TEST_F(CachedListTest, RetriesADeadServerWithBackoff) {
  auto& a = add("a").tools({"one"});
  a.dead = true;
  tools();
  for (int i = 0; i < 600; ++i) pass(1s);
  EXPECT_LT(a.described, 20u);
  EXPECT_GT(a.described, 10u);
}

TEST_F(CachedListTest, TimesOutAFetchThatNeverEnds) {
  auto& a = add("a").tools({"one"});
  a.silent = true;
  start("tools/list");
  pass(5s);
  pass(2min);
  EXPECT_THAT(aggregator().states()[0].problem, HasSubstr("no response before the deadline"));
}

TEST_F(CachedListTest, Complaint_10_PrefetchesLists) {
  auto& a = add("a").tools({"one"});
  auto& b = add("b").tools({"two"});
  slots_[1].lazy = true;
  aggregator().prefetch_lists();
  poll();
  EXPECT_EQ(a.count("tools/list"), 1u);
  EXPECT_EQ(b.described, 0u);
  tools();
  EXPECT_EQ(a.count("tools/list"), 1u);
}

TEST_F(CachedListTest, AnUnknownNameWaitsForASlowServerUntilTheTimeout) {
  add("slow").tools({"late"}).silent = true;
  add("a").tools({"one"}).answers("tools/call", "{}");
  start("tools/list");
  pass(5s);
  const auto pending = start("tools/call", R"({"name":"late"})");
  EXPECT_FALSE(*pending);
  pass(5s);
  ASSERT_TRUE(*pending);
  EXPECT_EQ(protocol::protocol_error_of((*pending)->error()), ProtocolError::unknown_tool);
  EXPECT_EQ(body("tools/call", R"({"name":"one"})"), "{}");
}

TEST_F(CachedListTest, TreatsAnExceptionAsAFailure) {
  add("a").tools({"one"}).answers("tools/list",
                                  [](const std::string&) -> Result<std::string> { throw std::runtime_error("bug"); });
  add("b").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
  EXPECT_THAT(problem_kinds(), ElementsAre(ProblemKind::degraded));
}

TEST_F(CachedListTest, CancellingARequestDoesNotAbortTheFetchForOthers) {
  auto& a = add("a").tools({"one"});
  a.silent = true;
  TaskScope mine(loop_.get_executor(), log_, "mine");
  const auto list = [](Aggregator* aggregator) -> Task<void> {
    Call call{.method = "tools/list"};
    co_await aggregator->call(call);
  };
  auto asking = mine.spawn(list(&aggregator()));
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
}  // namespace fairlead::gateway::test::cached_list_test
