#include "gateway/fixtures/aggregator_fixture.hpp"

/// How long clients wait for hanging or changed servers, and their notifications.
namespace fairlead::gateway::test::list_waiting_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

using ListWaitingTest = AggregatorTest;
constexpr const char* tools_changed = "notifications/tools/list_changed";

TEST_F(ListWaitingTest, Finding_P9_WaitsOnceForAHangingServerWhateverIsListed) {
  add("a").tools({"one"}).has(ListKind::prompts, {R"({"name":"p"})"}).has(ListKind::resources, {R"({"uri":"x://r"})"});
  add("hangs").tools({"late"}).silent = true;
  const auto first = start("tools/list");
  EXPECT_FALSE(*first);
  pass(5s);
  ASSERT_TRUE(*first);
  EXPECT_THAT(keys(ListKind::tools, std::string((**first)->body.text())), ElementsAre("one"));
  EXPECT_THAT(keys(ListKind::prompts, body("prompts/list")), ElementsAre("p")) << "without another timeout";
  EXPECT_THAT(keys(ListKind::resources, body("resources/list")), ElementsAre("x://r"));
  EXPECT_THAT(keys(ListKind::templates, body("resources/templates/list")), IsEmpty());
}

TEST_F(ListWaitingTest, Finding_P9_WaitsOnceForAServerThatHangsLater) {
  auto& a = add("a").tools({"one"}).has(ListKind::prompts, {}).has(ListKind::resources, {});
  add("b").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
  body("prompts/list");
  body("resources/list");
  a.silent = true;
  for (const auto* notice : {tools_changed, "notifications/prompts/list_changed"}) a.send_notification(notice);
  poll();
  const auto first = start("tools/list");
  pass(5s);
  ASSERT_TRUE(*first);
  EXPECT_THAT(body("prompts/list"), StartsWith("{"));
  EXPECT_THAT(body("resources/list"), StartsWith("{"));
}

TEST_F(ListWaitingTest, Finding_P9_DoesNotNotifyWhatTheFirstListShowed) {
  const auto none = slots_;
  aggregator();
  auto& a = add("a").tools({"one"});
  auto& b = add("b").tools({"two"});
  a.slow = b.slow = {"tools/list"};
  aggregator().replace(slots_);
  FakePeer peer;
  const auto hook = open_session(peer);
  const auto first = start("tools/list");
  a.release();
  b.release();
  poll();
  pass(1s);
  ASSERT_TRUE(*first);
  EXPECT_THAT(keys(ListKind::tools, std::string((**first)->body.text())), ElementsAre("one", "two"));
  EXPECT_THAT(peer.received, IsEmpty());
  b.tools({"three"}).send_notification(tools_changed);
  poll();
  EXPECT_THAT(peer.received, ElementsAre(tools_changed)) << "a change is notified";
}

TEST_F(ListWaitingTest, Finding_P9_NotifiesAllClientsExceptTheOneThatIsListing) {
  auto& a = add("a").tools({"one"}).hints(R"(,"ttlMs":0)");
  add("b").tools({"two"});
  FakePeer getting, other;
  const auto first = open_session(getting, 7);
  const auto second = open_session(other, 8);
  tools();
  a.tools({"one", "more"}).slow = {"tools/list"};
  session_key_ = 7;
  const auto list = start("tools/list");
  a.release();
  poll();
  pass(1s);
  ASSERT_TRUE(*list);
  EXPECT_THAT(keys(ListKind::tools, std::string((**list)->body.text())), ElementsAre("one", "more", "two"));
  EXPECT_THAT(getting.received, IsEmpty());
  EXPECT_THAT(other.received, ElementsAre(tools_changed));
}

TEST_F(ListWaitingTest, Finding_S23_UnchangedToolsStayCallableDuringReloads) {
  add("a").tools({"one"}).answers("tools/call", R"({"by":"a0"})");
  add("b").tools({"one", "two"}).answers("tools/call", "{}");
  EXPECT_THAT(tools(), ElementsAre("a__one", "b__one", "two"));
  for (int version = 1; version <= 5; ++version) {
    const auto by = R"({"by":"a)" + std::to_string(version) + "\"}";
    auto changed = std::make_shared<FakeBackend>(loop_, "a");
    changed->tools({"one"}).answers("tools/call", by).slow = {"tools/list"};
    backends_.push_back(changed);
    slots_[0] = {.backend = changed, .fingerprint = "version " + std::to_string(version)};
    aggregator().replace(slots_);
    EXPECT_EQ(body("tools/call", R"({"name":"a__one"})"), by) << "its list is not known yet";
  }
  backends_.back()->release();
  poll();
  EXPECT_THAT(tools(), ElementsAre("a__one", "b__one", "two"));
}

TEST_F(ListWaitingTest, Finding_S23_ARemovedToolIsUnknownOnceTheChangedServerHasListed) {
  add("a").tools({"one"}).answers("tools/call", "{}");
  add("b").tools({"two"});
  tools();
  auto changed = std::make_shared<FakeBackend>(loop_, "a");
  changed->tools({"other"}).answers("tools/call", "{}");
  backends_.push_back(changed);
  slots_[0] = {.backend = changed, .fingerprint = "another"};
  aggregator().replace(slots_);
  poll();
  EXPECT_EQ(fault("tools/call", R"({"name":"one"})"), ProtocolError::unknown_tool);
}

}  // namespace
}  // namespace fairlead::gateway::test::list_waiting_test
