#include <fairlead/server/context.hpp>

#include "server/pending_request.hpp"
#include "server/server_state.hpp"

namespace fairlead::server::test::session_preferences_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct SessionPreferencesTest : testing::Test {
  Server app{"demo", "1.0"};
  Client one{app};
  Client two{app};

  SessionPreferencesTest() {
    one.context.session_key = 1;
    two.context.session_key = 2;
    app.tool("chatty", "", [](Context& context) -> Task<void> { co_await context.log(LoggingLevel::debug, "x"); });
    app.resource("a://b", "b", [] { return "x"; });
  }

  std::size_t logged(Client& client) {
    client.channel.notifications.clear();
    client.tool("chatty");
    return client.channel.notifications.size();
  }
};

TEST_F(SessionPreferencesTest, LogLevelIsPerSession) {
  OpenSession first(app, 1), second(app, 2);
  one.body("logging/setLevel", R"({"level":"debug"})");
  EXPECT_EQ(logged(one), 1U);
  EXPECT_EQ(logged(two), 0U);
}

TEST_F(SessionPreferencesTest, SubscriptionIsPerSession) {
  OpenSession first(app, 1), second(app, 2);
  one.body("resources/subscribe", R"({"uri":"a://b"})");
  app.resource_updated("a://b");
  EXPECT_THAT(first.take_notifications(), ElementsAre(R"(notifications/resources/updated{"uri":"a://b"})"));
  EXPECT_THAT(second.take_notifications(), IsEmpty());
}

TEST_F(SessionPreferencesTest, PreferencesEndWithTheSession) {
  {
    OpenSession before(app, 1);
    one.body("logging/setLevel", R"({"level":"debug"})");
    one.body("resources/subscribe", R"({"uri":"a://b"})");
    EXPECT_EQ(logged(one), 1U);
  }
  OpenSession after(app, 1);
  app.resource_updated("a://b");
  EXPECT_THAT(after.take_notifications(), IsEmpty());
  EXPECT_EQ(logged(one), 0U);
}

TEST_F(SessionPreferencesTest, RejectsPreferencesWithoutASession) {
  EXPECT_EQ(one.error_of("logging/setLevel", R"({"level":"debug"})"), protocol::ProtocolError::invalid_request);
  EXPECT_EQ(one.error_of("resources/subscribe", R"({"uri":"a://b"})"), protocol::ProtocolError::invalid_request);
  EXPECT_EQ(one.body("resources/unsubscribe", R"({"uri":"a://b"})"), "{}");
}

TEST_F(SessionPreferencesTest, LimitsSubscriptionsPerSession) {
  SessionPreferences session_preferences;
  session_preferences.open(1);
  for (std::size_t i = 0; i < SessionPreferences::max_subscriptions; ++i) {
    ASSERT_TRUE(session_preferences.subscribe(1, "a://" + std::to_string(i)));
  }
  EXPECT_FALSE(session_preferences.subscribe(1, "a://more"));
  EXPECT_TRUE(session_preferences.subscribe(1, "a://0"));
  session_preferences.unsubscribe(1, "a://0");
  EXPECT_TRUE(session_preferences.subscribe(1, "a://more"));
}

TEST_F(SessionPreferencesTest, CoalescesEqualPendingNotifications) {
  OpenSession session(app, 1);
  one.body("resources/subscribe", R"({"uri":"a://b"})");
  app.tool("new", "", [] {});
  app.resource_updated("a://b");
  app.tool("newer", "", [] {});
  app.resource_updated("a://b");
  app.resource("a://c", "c", [] { return "x"; });
  app.resource<"t://{x}">("t", [](Arg<"x", std::string> x) { return *x; });
  EXPECT_THAT(session.take_notifications(),
              ElementsAre("notifications/tools/list_changed", R"(notifications/resources/updated{"uri":"a://b"})",
                          "notifications/resources/list_changed"));
}

TEST_F(SessionPreferencesTest, SkipsChangesOfHiddenEntries) {
  app.visible([](EntryKind, std::string_view name, std::string_view who) { return name != "secret" || who == "ann"; });
  OpenSession anonymous(app, 1), ann(app, 2, "ann");
  app.tool("secret", "", [] {});
  EXPECT_THAT(anonymous.take_notifications(), IsEmpty());
  EXPECT_THAT(ann.take_notifications(), ElementsAre("notifications/tools/list_changed"));
  app.remove_tool("secret");
  EXPECT_THAT(anonymous.take_notifications(), IsEmpty());
  EXPECT_THAT(ann.take_notifications(), SizeIs(1));
  app.prompt("open", "", [] { return "x"; });
  EXPECT_THAT(anonymous.take_notifications(), ElementsAre("notifications/prompts/list_changed"));
}

TEST_F(SessionPreferencesTest, SkipsUpdatesOfAResourceHiddenLater) {
  bool hidden = false;
  app.visible([&](EntryKind, std::string_view name, std::string_view) { return name != "a://b" || !hidden; });
  OpenSession session(app, 1);
  one.body("resources/subscribe", R"({"uri":"a://b"})");
  hidden = true;
  app.resource_updated("a://b");
  EXPECT_THAT(session.take_notifications(), IsEmpty());
}

TEST_F(SessionPreferencesTest, VisibilityChangeNotifiesAllNonEmptyLists) {
  OpenSession session(app, 1);
  app.visibility_changed();
  EXPECT_THAT(session.take_notifications(),
              ElementsAre("notifications/tools/list_changed", "notifications/resources/list_changed"));
  app.remove_resource("a://b");
  app.remove_tool("chatty");
  app.prompt("p", "", [] { return "x"; });
  session.take_notifications();
  app.visibility_changed();
  EXPECT_THAT(session.take_notifications(), ElementsAre("notifications/prompts/list_changed"));
}

}  // namespace
}  // namespace fairlead::server::test::session_preferences_test
