#include "gateway/fixtures/aggregator_fixture.hpp"

/// Unsolicited notifications of servers, and those that clients receive.
namespace fairlead::gateway::test::session_fanout_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using SessionFanoutTest = AggregatorTest;
constexpr const char* tools_changed = "notifications/tools/list_changed";
constexpr const char* resources_changed = "notifications/resources/list_changed";

TEST_F(SessionFanoutTest, Complaint_16_FetchesAChangeBeforeNotifyingOnce) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto hook = open_session(peer);
  tools();
  EXPECT_THAT(peer.received, IsEmpty());
  a.tools({"one", "two"});
  a.silent = true;
  a.send_notification(tools_changed);
  poll();
  EXPECT_THAT(peer.received, IsEmpty());
  a.release();
  poll();
  EXPECT_THAT(peer.received, ElementsAre(tools_changed));
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
  EXPECT_EQ(a.count("tools/list"), 2u);
}

TEST_F(SessionFanoutTest, OpensNoSessionsForASingleRequest) {
  auto& a = add("a").tools({"one"});
  aggregator();
  const auto before = a.session_count();
  FakePeer peer;
  const auto hook = aggregator().on_session_open({.key = 7, .peer = peer, .tasks = tasks_, .single_request = true});
  EXPECT_EQ(hook, nullptr);
  EXPECT_EQ(a.session_count(), before);
  const auto lasting = open_session(peer);
  EXPECT_EQ(a.session_count(), before + 1);
}

TEST_F(SessionFanoutTest, Complaint_16_FetchesAndNotifiesOnceForManySessions) {
  auto& a = add("a").tools({"one"});
  FakePeer first, second;
  const auto one = open_session(first, 1);
  const auto other = open_session(second, 2);
  tools();
  a.tools({"one", "two"}).slow = {"tools/list"};
  a.send_notification(tools_changed);
  poll();
  a.release();
  poll();
  pass(1s);
  EXPECT_THAT(first.received, ElementsAre(tools_changed));
  EXPECT_THAT(second.received, ElementsAre(tools_changed));
  EXPECT_EQ(a.count("tools/list"), 2u);
}

TEST_F(SessionFanoutTest, Complaint_16_NotifiesAChangeDuringAListOnce) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":0)");
  FakePeer peer;
  const auto hook = open_session(peer);
  tools();
  a.tools({"two"}).slow = {"tools/list"};
  const auto pending = start("tools/list");
  poll();
  a.send_notification(tools_changed);
  a.release();
  poll();
  pass(100ms);
  EXPECT_THAT(peer.received, ElementsAre(tools_changed));
  EXPECT_EQ(a.count("tools/list"), 3u);
}

TEST_F(SessionFanoutTest, Complaint_16_RemovesWithdrawnItems) {
  auto& a = add("a").tools({"one", "two"}).answers("tools/call", "{}");
  FakePeer peer;
  const auto hook = open_session(peer);
  tools();
  a.tools({"two"}).send_notification(tools_changed);
  poll();
  EXPECT_THAT(peer.received, ElementsAre(tools_changed));
  EXPECT_THAT(tools(), ElementsAre("two"));
  EXPECT_EQ(fault("tools/call", R"({"name":"one"})"), ProtocolError::unknown_tool);
}

TEST_F(SessionFanoutTest, Complaint_16_ReceivesChangesWithoutClients) {
  auto& a = add("a").tools({"one"});
  tools();
  a.tools({"two"}).send_notification(tools_changed);
  poll();
  EXPECT_THAT(tools(), ElementsAre("two"));
}

TEST_F(SessionFanoutTest, NotifiesAnAnnouncedChangeEvenIfTheListIsEqual) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto hook = open_session(peer);
  a.send_notification(tools_changed);
  poll();
  EXPECT_THAT(peer.received, ElementsAre(tools_changed));
}

TEST_F(SessionFanoutTest, NotifiesAChangeWhoseFirstFetchFailsAgainWhenTheListIsFetched) {
  for (const bool lazy : {false, true}) {
    aggregator_.reset();
    slots_.clear();
    auto& a = add("a").tools({"one"});
    slots_.back().lazy = lazy;
    FakePeer peer;
    const auto hook = open_session(peer);
    tools();
    a.tools({"two"}).send_notification(tools_changed);
    a.dead = true;
    poll();
    peer.received.clear();
    EXPECT_THAT(tools(), ElementsAre("one")) << "the last good list";
    a.dead = false;
    pass(1s);
    EXPECT_THAT(peer.received, ElementsAre(tools_changed)) << (lazy ? "lazy" : "running");
    EXPECT_THAT(tools(), ElementsAre("two"));
  }
}

TEST_F(SessionFanoutTest, NotifiesAChangeDuringAListThatFailsOnce) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":0)");
  slots_.back().lazy = true;
  FakePeer peer;
  const auto hook = open_session(peer);
  tools();
  a.tools({"two"}).slow = {"tools/list"};
  const auto pending = start("tools/list");
  a.send_notification(tools_changed);
  poll();
  a.dead = true;
  a.release();
  poll();
  EXPECT_THAT(peer.received, IsEmpty()) << "the new list is not known yet";
  a.dead = false;
  pass(1s);
  EXPECT_THAT(peer.received, ElementsAre(tools_changed));
  EXPECT_THAT(tools(), ElementsAre("two"));
}

TEST_F(SessionFanoutTest, ResourcesAndTemplatesShareOneNotification) {
  auto& a = add("a").has(ListKind::resources, {}).has(ListKind::templates, {});
  FakePeer peer;
  const auto hook = open_session(peer);
  body("resources/list");
  body("resources/templates/list");
  a.has(ListKind::templates, {R"({"uriTemplate":"y://{id}"})"}).has(ListKind::resources, {R"({"uri":"x://a"})"});
  a.send_notification(resources_changed);
  poll();
  EXPECT_THAT(peer.received, ElementsAre(resources_changed));
}

TEST_F(SessionFanoutTest, NotifiesResourcesWhenTheirTemplatesAreFetchedToo) {
  auto& a = add("a").has(ListKind::resources, {}).has(ListKind::templates, {});
  FakePeer peer;
  const auto hook = open_session(peer);
  a.slow = {"resources/templates/list"};
  a.send_notification(resources_changed);
  poll();
  EXPECT_EQ(a.count("resources/list"), 1u);
  EXPECT_THAT(peer.received, IsEmpty());
  a.release();
  poll();
  EXPECT_THAT(peer.received, ElementsAre(resources_changed));
}

TEST_F(SessionFanoutTest, Attack_AStormOfChangesCausesFewFetchesAndNotifications) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto hook = open_session(peer);
  tools();
  for (int i = 0; i < 1000; ++i) a.send_notification(tools_changed);
  poll();
  EXPECT_LE(a.count("tools/list"), 2u);
  EXPECT_THAT(peer.received, ElementsAre(tools_changed));
  pass(100ms);
  EXPECT_LE(a.count("tools/list"), 3u);
  EXPECT_LE(peer.received.size(), 2u);
}

TEST_F(SessionFanoutTest, Attack_LimitsFetchesOfAServerThatChangesOnEveryFetch) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto hook = open_session(peer);
  a.answers("tools/list", [&a](const std::string&) -> Result<std::string> {
    a.send_notification(tools_changed);
    return R"({"tools":[]})";
  });
  tools();
  for (int i = 0; i < 100; ++i) pass(10ms);
  EXPECT_LE(a.count("tools/list"), 12u);
}

TEST_F(SessionFanoutTest, Attack_MergesChangesInQuickSuccession) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto hook = open_session(peer);
  for (int i = 0; i < 50; ++i) {
    a.send_notification(tools_changed);
    poll();
  }
  EXPECT_EQ(a.count("tools/list"), 1u);
  EXPECT_THAT(peer.received, ElementsAre(tools_changed));
  // The last change is not lost.
  pass(100ms);
  EXPECT_EQ(a.count("tools/list"), 2u);
  EXPECT_EQ(peer.received.size(), 2u);
}

TEST_F(SessionFanoutTest, PassesResourceUpdatesUnchanged) {
  auto& a = add("a");
  FakePeer peer;
  const auto hook = open_session(peer);
  a.send_notification("notifications/resources/updated", R"({"uri":"x://a","n":1.0})");
  poll();
  EXPECT_THAT(peer.received, ElementsAre("notifications/resources/updated"));
  EXPECT_THAT(peer.params, ElementsAre(R"({"uri":"x://a","n":1.0})"));
}

TEST_F(SessionFanoutTest, ForwardsServerRequestsToTheClient) {
  auto& a = add("a");
  FakePeer peer;
  const auto hook = open_session(peer);
  const auto send_request = [](session::Service* client) -> Task<void> {
    Call question{.method = "roots/list"};
    const auto reply = co_await client->call(question);
    EXPECT_TRUE(reply);
  };
  tasks_.spawn(send_request(&a.peer(7)));
  poll();
  EXPECT_THAT(peer.requests, ElementsAre("roots/list"));
}

TEST_F(SessionFanoutTest, SendsNothingToAClosedSession) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  auto hook = open_session(peer);
  EXPECT_EQ(a.session_count(), 2u);
  hook.reset();
  EXPECT_EQ(a.session_count(), 1u);
  a.send_notification(tools_changed);
  poll();
  EXPECT_THAT(peer.received, IsEmpty());
}

TEST_F(SessionFanoutTest, NotifiesBothVirtualServersOfASharedServer) {
  auto& a = add("a").tools({"one"});
  FakePeer here, there;
  const auto hook = open_session(here, 1);
  Aggregator second(EventLoop{loop_.get_executor(), wheel_, log_}, tasks_, slots_, options_);
  const auto other = second.on_session_open({.key = 2, .peer = there, .tasks = tasks_});
  a.send_notification(tools_changed);
  poll();
  pass(1s);
  EXPECT_THAT(here.received, ElementsAre(tools_changed));
  EXPECT_THAT(there.received, ElementsAre(tools_changed));
}

TEST_F(SessionFanoutTest, NotifiesAllSessions) {
  auto& a = add("a").tools({"one"});
  FakePeer one;
  FakePeer two;
  const auto first = open_session(one, 1);
  const auto second = open_session(two, 2);
  a.send_notification(tools_changed);
  poll();
  EXPECT_THAT(one.received, ElementsAre(tools_changed));
  EXPECT_EQ(two.received, one.received);
  EXPECT_EQ(a.count("tools/list"), 1u);
}

TEST_F(SessionFanoutTest, NotifiesAddedAndRemovedServersOnReload) {
  add("a").tools({"one"});
  add("b").tools({"two"});
  auto& c = add("c").tools({"three"});
  const auto all = slots_;
  slots_.pop_back();
  FakePeer peer;
  const auto hook = open_session(peer);
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
  aggregator().replace({all[0], all[2]});
  poll();
  // Removed items disappear at once; new ones appear when they are fetched.
  EXPECT_THAT(peer.received, ElementsAre(tools_changed, tools_changed));
  EXPECT_THAT(tools(), ElementsAre("one", "three"));
  EXPECT_EQ(backends_[0]->count("tools/list"), 1u);
  EXPECT_EQ(backends_[1]->session_count(), 0u);
  EXPECT_EQ(c.session_count(), 2u);
  c.tools({"four"}).send_notification(tools_changed);
  poll();
  EXPECT_THAT(tools(), ElementsAre("one", "four"));
}

TEST_F(SessionFanoutTest, AReloadWithoutChangesNotifiesNothing) {
  add("a").tools({"one"});
  FakePeer peer;
  const auto hook = open_session(peer);
  tools();
  aggregator().replace(slots_);
  poll();
  EXPECT_THAT(peer.received, IsEmpty());
}

TEST_F(SessionFanoutTest, NotifiesAReloadThatAddsTheFirstServer) {
  FakePeer peer;
  const auto hook = open_session(peer);
  add("a").tools({"one"});
  aggregator().replace(slots_);
  poll();
  EXPECT_THAT(peer.received, ElementsAre(tools_changed));
}

TEST_F(SessionFanoutTest, ACallInFlightOutlivesItsSlot) {
  auto& a = add("a").tools({"one"}).answers("tools/call", R"({"done":true})");
  tools();
  a.silent = true;
  const auto pending = start("tools/call", R"({"name":"one"})");
  slots_.clear();
  aggregator().replace({});
  a.release();
  auto kept = std::move(backends_);
  backends_.clear();
  poll();
  ASSERT_TRUE(*pending);
  EXPECT_EQ((**pending)->body.text(), R"({"done":true})");
}

TEST_F(SessionFanoutTest, AReloadDoesNotDelayAListRequest) {
  add("slow").tools({"late"}).silent = true;
  add("a").tools({"one"});
  const auto pending = start("tools/list");
  aggregator().replace({slots_[1]});
  poll();
  ASSERT_TRUE(*pending);
  EXPECT_THAT(keys(ListKind::tools, std::string((**pending)->body.text())), ElementsAre("one"));
}

}  // namespace
}  // namespace fairlead::gateway::test::session_fanout_test
