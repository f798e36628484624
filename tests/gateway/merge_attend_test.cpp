#include "gateway/merge_fixture.hpp"

/// What servers say unasked, and what clients hear of it.
namespace fairlead::gateway::test::merge_attend_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using MergeAttend = MergeTest;
constexpr const char* tools_changed = "notifications/tools/list_changed";
constexpr const char* resources_changed = "notifications/resources/list_changed";

TEST_F(MergeAttend, Complaint_16_AChangeIsKnownBeforeItIsToldAndToldOnce) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto attendance = attend(peer);
  tools();
  EXPECT_THAT(peer.heard, IsEmpty());
  a.tools({"one", "two"});
  a.silent = true;
  a.say(tools_changed);
  poll();
  EXPECT_THAT(peer.heard, IsEmpty());
  a.release();
  poll();
  EXPECT_THAT(peer.heard, ElementsAre(tools_changed));
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
  EXPECT_EQ(a.count("tools/list"), 2u);
}

TEST_F(MergeAttend, Complaint_16_HoweverManyHearOfAChangeItIsAskedForAndToldOnce) {
  auto& a = add("a").tools({"one"});
  FakePeer first, second;
  const auto one = attend(first, 1);
  const auto other = attend(second, 2);
  tools();
  a.tools({"one", "two"}).slow = {"tools/list"};
  a.say(tools_changed);
  poll();
  a.release();
  poll();
  pass(1s);
  EXPECT_THAT(first.heard, ElementsAre(tools_changed));
  EXPECT_THAT(second.heard, ElementsAre(tools_changed));
  EXPECT_EQ(a.count("tools/list"), 2u);
}

TEST_F(MergeAttend, Complaint_16_AChangeThatComesWhileAClientListsIsToldOnce) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":0)");
  FakePeer peer;
  const auto attendance = attend(peer);
  tools();
  a.tools({"two"}).slow = {"tools/list"};
  const auto pending = start("tools/list");
  poll();
  a.say(tools_changed);
  a.release();
  poll();
  pass(100ms);
  EXPECT_THAT(peer.heard, ElementsAre(tools_changed));
  EXPECT_EQ(a.count("tools/list"), 3u);
}

TEST_F(MergeAttend, Complaint_16_WhatIsTakenAwayIsGone) {
  auto& a = add("a").tools({"one", "two"}).answers("tools/call", "{}");
  FakePeer peer;
  const auto attendance = attend(peer);
  tools();
  a.tools({"two"}).say(tools_changed);
  poll();
  EXPECT_THAT(peer.heard, ElementsAre(tools_changed));
  EXPECT_THAT(tools(), ElementsAre("two"));
  EXPECT_EQ(fault("tools/call", R"({"name":"one"})"), Fault::unknown_tool);
}

TEST_F(MergeAttend, Complaint_16_AChangeIsHeardWhileNobodyListens) {
  auto& a = add("a").tools({"one"});
  tools();
  a.tools({"two"}).say(tools_changed);
  poll();
  EXPECT_THAT(tools(), ElementsAre("two"));
}

TEST_F(MergeAttend, AChangeIsToldEvenIfTheListIsTheSame) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto attendance = attend(peer);
  a.say(tools_changed);
  poll();
  EXPECT_THAT(peer.heard, ElementsAre(tools_changed));
}

TEST_F(MergeAttend, ResourcesAndTemplatesShareOneNotice) {
  auto& a = add("a").has(ListKind::resources, {}).has(ListKind::templates, {});
  FakePeer peer;
  const auto attendance = attend(peer);
  body("resources/list");
  body("resources/templates/list");
  a.has(ListKind::templates, {R"({"uriTemplate":"y://{id}"})"}).has(ListKind::resources, {R"({"uri":"x://a"})"});
  a.say(resources_changed);
  poll();
  EXPECT_THAT(peer.heard, ElementsAre(resources_changed));
}

TEST_F(MergeAttend, ResourcesThatHaveChangedAreToldWhenTheirTemplatesAreThereToo) {
  auto& a = add("a").has(ListKind::resources, {}).has(ListKind::templates, {});
  FakePeer peer;
  const auto attendance = attend(peer);
  a.slow = {"resources/templates/list"};
  a.say(resources_changed);
  poll();
  EXPECT_EQ(a.count("resources/list"), 1u);
  EXPECT_THAT(peer.heard, IsEmpty());
  a.release();
  poll();
  EXPECT_THAT(peer.heard, ElementsAre(resources_changed));
}

TEST_F(MergeAttend, Attack_AStormOfChangesIsAFewQuestionsAndAFewNotices) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto attendance = attend(peer);
  tools();
  for (int i = 0; i < 1000; ++i) a.say(tools_changed);
  poll();
  EXPECT_LE(a.count("tools/list"), 2u);
  EXPECT_THAT(peer.heard, ElementsAre(tools_changed));
  pass(100ms);
  EXPECT_LE(a.count("tools/list"), 3u);
  EXPECT_LE(peer.heard.size(), 2u);
}

TEST_F(MergeAttend, Attack_AServerThatChangesWheneverItIsAskedIsAskedNowAndThen) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto attendance = attend(peer);
  a.answers("tools/list", [&a](const std::string&) -> Result<std::string> {
    a.say(tools_changed);
    return R"({"tools":[]})";
  });
  tools();
  for (int i = 0; i < 100; ++i) pass(10ms);
  EXPECT_LE(a.count("tools/list"), 12u);
}

TEST_F(MergeAttend, Attack_ChangesThatFollowEachOtherCloselyAreOne) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  const auto attendance = attend(peer);
  for (int i = 0; i < 50; ++i) {
    a.say(tools_changed);
    poll();
  }
  EXPECT_EQ(a.count("tools/list"), 1u);
  EXPECT_THAT(peer.heard, ElementsAre(tools_changed));
  // The last one is not lost.
  pass(100ms);
  EXPECT_EQ(a.count("tools/list"), 2u);
  EXPECT_EQ(peer.heard.size(), 2u);
}

TEST_F(MergeAttend, NewsOfAResourcePassAsTheyAre) {
  auto& a = add("a");
  FakePeer peer;
  const auto attendance = attend(peer);
  a.say("notifications/resources/updated", R"({"uri":"x://a","n":1.0})");
  poll();
  EXPECT_THAT(peer.heard, ElementsAre("notifications/resources/updated"));
  EXPECT_THAT(peer.params, ElementsAre(R"({"uri":"x://a","n":1.0})"));
}

TEST_F(MergeAttend, WhatAServerAsksReachesTheClient) {
  auto& a = add("a");
  FakePeer peer;
  const auto attendance = attend(peer);
  const auto ask = [](session::Service* client) -> Task<void> {
    Call question{.method = "roots/list"};
    const auto reply = co_await client->call(question);
    EXPECT_TRUE(reply);
  };
  tasks_.spawn(ask(&a.peer(7)));
  poll();
  EXPECT_THAT(peer.asked, ElementsAre("roots/list"));
}

TEST_F(MergeAttend, WhoAttendsNoMoreHearsNothing) {
  auto& a = add("a").tools({"one"});
  FakePeer peer;
  auto attendance = attend(peer);
  EXPECT_EQ(a.attended(), 2u);
  attendance.reset();
  EXPECT_EQ(a.attended(), 1u);
  a.say(tools_changed);
  poll();
  EXPECT_THAT(peer.heard, IsEmpty());
}

TEST_F(MergeAttend, AServerInTwoRoomsIsHeardInBoth) {
  auto& a = add("a").tools({"one"});
  FakePeer here, there;
  const auto attendance = attend(here, 1);
  Merge second(Loop{loop_.get_executor(), wheel_, log_}, tasks_, seats_, options_);
  const auto other = second.attend({.key = 2, .peer = there, .executor = loop_.get_executor(), .tasks = tasks_});
  a.say(tools_changed);
  poll();
  pass(1s);
  EXPECT_THAT(here.heard, ElementsAre(tools_changed));
  EXPECT_THAT(there.heard, ElementsAre(tools_changed));
}

TEST_F(MergeAttend, EverybodyHears) {
  auto& a = add("a").tools({"one"});
  FakePeer one;
  FakePeer two;
  const auto first = attend(one, 1);
  const auto second = attend(two, 2);
  a.say(tools_changed);
  poll();
  EXPECT_THAT(one.heard, ElementsAre(tools_changed));
  EXPECT_EQ(two.heard, one.heard);
  EXPECT_EQ(a.count("tools/list"), 1u);
}

TEST_F(MergeAttend, AReloadTellsOfWhatCameAndWhatWent) {
  add("a").tools({"one"});
  add("b").tools({"two"});
  auto& c = add("c").tools({"three"});
  const auto all = seats_;
  seats_.pop_back();
  FakePeer peer;
  const auto attendance = attend(peer);
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
  merge().replace({all[0], all[2]});
  poll();
  // Who has gone is gone at once; what who came brings is known a little later.
  EXPECT_THAT(peer.heard, ElementsAre(tools_changed, tools_changed));
  EXPECT_THAT(tools(), ElementsAre("one", "three"));
  EXPECT_EQ(members_[0]->count("tools/list"), 1u);
  EXPECT_EQ(members_[1]->attended(), 0u);
  EXPECT_EQ(c.attended(), 2u);
  c.tools({"four"}).say(tools_changed);
  poll();
  EXPECT_THAT(tools(), ElementsAre("one", "four"));
}

TEST_F(MergeAttend, AReloadThatChangesNothingTellsNothing) {
  add("a").tools({"one"});
  FakePeer peer;
  const auto attendance = attend(peer);
  tools();
  merge().replace(seats_);
  poll();
  EXPECT_THAT(peer.heard, IsEmpty());
}

TEST_F(MergeAttend, AReloadFromNobodyToSomebodyIsTold) {
  FakePeer peer;
  const auto attendance = attend(peer);
  add("a").tools({"one"});
  merge().replace(seats_);
  poll();
  EXPECT_THAT(peer.heard, ElementsAre(tools_changed));
}

TEST_F(MergeAttend, ACallUnderWayOutlivesItsServersSeat) {
  auto& a = add("a").tools({"one"}).answers("tools/call", R"({"done":true})");
  tools();
  a.silent = true;
  const auto pending = start("tools/call", R"({"name":"one"})");
  seats_.clear();
  merge().replace({});
  a.release();
  auto kept = std::move(members_);
  members_.clear();
  poll();
  ASSERT_TRUE(*pending);
  EXPECT_EQ((**pending)->body.text(), R"({"done":true})");
}

TEST_F(MergeAttend, AReloadDuringAListDoesNotKeepItWaiting) {
  add("slow").tools({"late"}).silent = true;
  add("a").tools({"one"});
  const auto pending = start("tools/list");
  merge().replace({seats_[1]});
  poll();
  ASSERT_TRUE(*pending);
  EXPECT_THAT(keys(ListKind::tools, std::string((**pending)->body.text())), ElementsAre("one"));
}

}  // namespace
}  // namespace fairlead::gateway::test::merge_attend_test
