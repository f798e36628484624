#include <fairlead/server/context.hpp>

#include "server/server_state.hpp"
#include "server/underway.hpp"

namespace fairlead::server::test::conversation_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct ConversationTest : testing::Test {
  Server app{"demo", "1.0"};
  Client one{app};
  Client two{app};

  ConversationTest() {
    one.context.conversation = 1;
    two.context.conversation = 2;
    app.tool("chatty", "", [](Context& context) -> Task<void> { co_await context.log(LoggingLevel::debug, "x"); });
    app.resource("a://b", "b", [] { return "x"; });
  }

  std::size_t logged(Client& client) {
    client.back.told.clear();
    client.tool("chatty");
    return client.back.told.size();
  }
};

TEST_F(ConversationTest, ALogLevelIsOneConversationsOwn) {
  Attended first(app, 1), second(app, 2);
  one.body("logging/setLevel", R"({"level":"debug"})");
  EXPECT_EQ(logged(one), 1U);
  EXPECT_EQ(logged(two), 0U);
}

TEST_F(ConversationTest, ASubscriptionIsOneConversationsOwn) {
  Attended first(app, 1), second(app, 2);
  one.body("resources/subscribe", R"({"uri":"a://b"})");
  app.resource_updated("a://b");
  EXPECT_THAT(first.heard(), ElementsAre(R"(notifications/resources/updated{"uri":"a://b"})"));
  EXPECT_THAT(second.heard(), IsEmpty());
}

TEST_F(ConversationTest, WhatWasAskedForEndsWithTheConversation) {
  {
    Attended before(app, 1);
    one.body("logging/setLevel", R"({"level":"debug"})");
    one.body("resources/subscribe", R"({"uri":"a://b"})");
    EXPECT_EQ(logged(one), 1U);
  }
  Attended after(app, 1);
  app.resource_updated("a://b");
  EXPECT_THAT(after.heard(), IsEmpty());
  EXPECT_EQ(logged(one), 0U);
}

TEST_F(ConversationTest, NothingIsRememberedForARequestThatStandsForItself) {
  EXPECT_EQ(one.fault("logging/setLevel", R"({"level":"debug"})"), protocol::Fault::invalid_request);
  EXPECT_EQ(one.fault("resources/subscribe", R"({"uri":"a://b"})"), protocol::Fault::invalid_request);
  EXPECT_EQ(one.body("resources/unsubscribe", R"({"uri":"a://b"})"), "{}");
}

TEST_F(ConversationTest, AConversationHasRoomForSoManySubscriptions) {
  Memories memories;
  memories.open(1);
  for (std::size_t i = 0; i < Memories::max_subscriptions; ++i) {
    ASSERT_TRUE(memories.subscribe(1, "a://" + std::to_string(i)));
  }
  EXPECT_FALSE(memories.subscribe(1, "a://more"));
  EXPECT_TRUE(memories.subscribe(1, "a://0"));
  memories.unsubscribe(1, "a://0");
  EXPECT_TRUE(memories.subscribe(1, "a://more"));
}

TEST_F(ConversationTest, EqualChangesThatWaitAreToldOnce) {
  Attended conversation(app, 1);
  one.body("resources/subscribe", R"({"uri":"a://b"})");
  app.tool("new", "", [] {});
  app.resource_updated("a://b");
  app.tool("newer", "", [] {});
  app.resource_updated("a://b");
  app.resource("a://c", "c", [] { return "x"; });
  app.resource<"t://{x}">("t", [](Arg<"x", std::string> x) { return *x; });
  EXPECT_THAT(conversation.heard(),
              ElementsAre("notifications/tools/list_changed", R"(notifications/resources/updated{"uri":"a://b"})",
                          "notifications/resources/list_changed"));
}

TEST_F(ConversationTest, NobodyIsToldOfAChangeTheyCannotSee) {
  app.visible([](Kind, std::string_view name, std::string_view who) { return name != "secret" || who == "ann"; });
  Attended anybody(app, 1), ann(app, 2, "ann");
  app.tool("secret", "", [] {});
  EXPECT_THAT(anybody.heard(), IsEmpty());
  EXPECT_THAT(ann.heard(), ElementsAre("notifications/tools/list_changed"));
  app.remove_tool("secret");
  EXPECT_THAT(anybody.heard(), IsEmpty());
  EXPECT_THAT(ann.heard(), SizeIs(1));
  app.prompt("open", "", [] { return "x"; });
  EXPECT_THAT(anybody.heard(), ElementsAre("notifications/prompts/list_changed"));
}

TEST_F(ConversationTest, NobodyIsToldOfAResourceTheyMayNoLongerSee) {
  bool hidden = false;
  app.visible([&](Kind, std::string_view name, std::string_view) { return name != "a://b" || !hidden; });
  Attended conversation(app, 1);
  one.body("resources/subscribe", R"({"uri":"a://b"})");
  hidden = true;
  app.resource_updated("a://b");
  EXPECT_THAT(conversation.heard(), IsEmpty());
}

TEST_F(ConversationTest, EverybodyIsToldThatTheRuleHasChanged) {
  Attended conversation(app, 1);
  app.visibility_changed();
  EXPECT_THAT(conversation.heard(),
              ElementsAre("notifications/tools/list_changed", "notifications/resources/list_changed"));
  app.remove_resource("a://b");
  app.remove_tool("chatty");
  app.prompt("p", "", [] { return "x"; });
  conversation.heard();
  app.visibility_changed();
  EXPECT_THAT(conversation.heard(), ElementsAre("notifications/prompts/list_changed"));
}

}  // namespace
}  // namespace fairlead::server::test::conversation_test
