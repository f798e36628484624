#include "gateway/merge_fixture.hpp"

/// How long clients wait for servers that hang or change, and what they are told meanwhile.
namespace fairlead::gateway::test::merge_waiting_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

using MergeWaiting = MergeTest;
constexpr const char* tools_changed = "notifications/tools/list_changed";

TEST_F(MergeWaiting, Finding_P9_AServerThatHangsIsWaitedForOnceWhateverIsListed) {
  add("a").tools({"one"}).has(ListKind::prompts, {R"({"name":"p"})"}).has(ListKind::resources, {R"({"uri":"x://r"})"});
  add("hangs").tools({"late"}).silent = true;
  const auto first = start("tools/list");
  EXPECT_FALSE(*first);
  pass(5s);
  ASSERT_TRUE(*first);
  EXPECT_THAT(keys(ListKind::tools, std::string((**first)->body.text())), ElementsAre("one"));
  EXPECT_THAT(keys(ListKind::prompts, body("prompts/list")), ElementsAre("p")) << "without another wait";
  EXPECT_THAT(keys(ListKind::resources, body("resources/list")), ElementsAre("x://r"));
  EXPECT_THAT(keys(ListKind::templates, body("resources/templates/list")), IsEmpty());
}

TEST_F(MergeWaiting, Finding_P9_AServerThatHangsLaterIsWaitedForOnceToo) {
  auto& a = add("a").tools({"one"}).has(ListKind::prompts, {}).has(ListKind::resources, {});
  add("b").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
  body("prompts/list");
  body("resources/list");
  a.silent = true;
  for (const auto* notice : {tools_changed, "notifications/prompts/list_changed"}) a.say(notice);
  poll();
  const auto first = start("tools/list");
  pass(5s);
  ASSERT_TRUE(*first);
  EXPECT_THAT(body("prompts/list"), StartsWith("{"));
  EXPECT_THAT(body("resources/list"), StartsWith("{"));
}

TEST_F(MergeWaiting, Finding_P9_WhatTheFirstListShowsIsNotToldAsAChange) {
  const auto none = seats_;
  merge();
  auto& a = add("a").tools({"one"});
  auto& b = add("b").tools({"two"});
  a.slow = b.slow = {"tools/list"};
  merge().replace(seats_);
  FakePeer peer;
  const auto attendance = attend(peer);
  const auto first = start("tools/list");
  a.release();
  b.release();
  poll();
  pass(1s);
  ASSERT_TRUE(*first);
  EXPECT_THAT(keys(ListKind::tools, std::string((**first)->body.text())), ElementsAre("one", "two"));
  EXPECT_THAT(peer.heard, IsEmpty());
  b.tools({"three"}).say(tools_changed);
  poll();
  EXPECT_THAT(peer.heard, ElementsAre(tools_changed)) << "but a change is";
}

TEST_F(MergeWaiting, Finding_P9_AChangeIsNotToldToTheClientThatJustGetsItButToTheOthers) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":0)");
  add("b").tools({"two"});
  FakePeer getting, other;
  const auto first = attend(getting, 7);
  const auto second = attend(other, 8);
  tools();
  a.tools({"one", "more"}).slow = {"tools/list"};
  conversation_ = 7;
  const auto list = start("tools/list");
  a.release();
  poll();
  pass(1s);
  ASSERT_TRUE(*list);
  EXPECT_THAT(keys(ListKind::tools, std::string((**list)->body.text())), ElementsAre("one", "more", "two"));
  EXPECT_THAT(getting.heard, IsEmpty());
  EXPECT_THAT(other.heard, ElementsAre(tools_changed));
}

TEST_F(MergeWaiting, Finding_S23_WhatIsInEveryVersionOfTheConfigurationCanBeCalledDuringAStormOfReloads) {
  add("a").tools({"one"}).answers("tools/call", R"({"by":"a0"})");
  add("b").tools({"one", "two"}).answers("tools/call", "{}");
  EXPECT_THAT(tools(), ElementsAre("a__one", "b__one", "two"));
  for (int version = 1; version <= 5; ++version) {
    const auto by = R"({"by":"a)" + std::to_string(version) + "\"}";
    auto changed = std::make_shared<FakeMember>(loop_, "a");
    changed->tools({"one"}).answers("tools/call", by).slow = {"tools/list"};
    members_.push_back(changed);
    seats_[0] = {.member = changed, .fingerprint = "version " + std::to_string(version)};
    merge().replace(seats_);
    EXPECT_EQ(body("tools/call", R"({"name":"a__one"})"), by) << "its list is not there yet";
  }
  members_.back()->release();
  poll();
  EXPECT_THAT(tools(), ElementsAre("a__one", "b__one", "two"));
}

TEST_F(MergeWaiting, Finding_S23_WhatAChangedServerHasNoMoreIsUnknownOnceItHasListed) {
  add("a").tools({"one"}).answers("tools/call", "{}");
  add("b").tools({"two"});
  tools();
  auto changed = std::make_shared<FakeMember>(loop_, "a");
  changed->tools({"other"}).answers("tools/call", "{}");
  members_.push_back(changed);
  seats_[0] = {.member = changed, .fingerprint = "another"};
  merge().replace(seats_);
  poll();
  EXPECT_EQ(fault("tools/call", R"({"name":"one"})"), Fault::unknown_tool);
}

}  // namespace
}  // namespace fairlead::gateway::test::merge_waiting_test
