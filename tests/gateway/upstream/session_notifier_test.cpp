#include "gateway/upstream/session_notifier.hpp"

#include <fairlead/base/task_scope.hpp>

#include "gateway/fixtures/manual_loop.hpp"

namespace fairlead::gateway::test {
namespace {

using session::Notification;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A client that reads on demand.
struct StallingPeer final : session::Service {
  explicit StallingPeer(boost::asio::any_io_executor executor) : reads(std::move(executor)) {}
  Task<Result<session::Reply>> call(session::Call&) override { co_return session::Reply{}; }
  Task<void> notify(Notification& notice) override {
    while (stalled) co_await reads.wait();
    if (std::exchange(throws, false)) throw std::runtime_error("broken");
    received.push_back(notice.method + std::string(notice.params.text()));
  }
  void read() {
    stalled = false;
    reads.notify();
  }

  std::vector<std::string> received = {};
  bool stalled = false;
  bool throws = false;
  AsyncEvent reads;
};

struct SessionNotifierTest : testing::Test {
  ~SessionNotifierTest() override {
    hooks.clear();
    tasks.cancel();
    manual.run(tasks.join());
  }

  StallingPeer& open_session(std::uint64_t key) {
    peers.push_back(std::make_unique<StallingPeer>(manual.loop().executor));
    hooks[key] = notifier.add_session({.key = key, .peer = *peers.back(), .tasks = tasks});
    return *peers.back();
  }
  void send(const std::string& method, const std::string& params = "") {
    notifier.notify(Notification{.method = method, .params = json::Payload::trusted(params)});
    manual.poll();
  }
  void update(const std::string& uri) { send("notifications/resources/updated", R"({"uri":")" + uri + "\"}"); }

  ManualLoop manual;
  TaskScope tasks{manual.loop().executor, manual.log(), "test"};
  std::vector<std::string> unused;
  SessionNotifier notifier{[this](std::vector<std::string> uris) { unused = std::move(uris); }};
  std::vector<std::unique_ptr<StallingPeer>> peers;
  std::map<std::uint64_t, std::unique_ptr<session::SessionHook>> hooks;
};

TEST_F(SessionNotifierTest, NotifiesAllSessionsOfListChanges) {
  auto& one = open_session(1);
  auto& two = open_session(2);
  send("notifications/tools/list_changed");
  EXPECT_THAT(one.received, SizeIs(1));
  EXPECT_THAT(two.received, SizeIs(1));
}

TEST_F(SessionNotifierTest, NotifiesSubscribersOfAResource) {
  auto& one = open_session(1);
  auto& two = open_session(2);
  EXPECT_TRUE(notifier.subscribe(1, "note://a")) << "first subscriber";
  update("note://a");
  update("note://b");
  EXPECT_THAT(one.received, ElementsAre(R"(notifications/resources/updated{"uri":"note://a"})"));
  EXPECT_THAT(two.received, IsEmpty());
}

TEST_F(SessionNotifierTest, ReportsTheFirstAndTheLastSubscriber) {
  open_session(1);
  open_session(2);
  EXPECT_TRUE(notifier.subscribe(1, "note://a"));
  EXPECT_FALSE(notifier.subscribe(2, "note://a"));
  EXPECT_FALSE(notifier.unsubscribe(1, "note://a"));
  EXPECT_TRUE(notifier.has_subscribers("note://a"));
  EXPECT_TRUE(notifier.unsubscribe(2, "note://a"));
  EXPECT_FALSE(notifier.unsubscribe(2, "note://a")) << "not subscribed any more";
  EXPECT_FALSE(notifier.has_subscriptions());
}

TEST_F(SessionNotifierTest, EndsSubscriptionsWithTheSession) {
  open_session(1);
  open_session(2);
  notifier.subscribe(1, "note://a");
  notifier.subscribe(1, "note://b");
  notifier.subscribe(2, "note://b");
  hooks.erase(1);
  EXPECT_THAT(unused, ElementsAre("note://a"));
  EXPECT_TRUE(notifier.has_subscribers("note://b"));
}

TEST_F(SessionNotifierTest, MergesEqualQueuedNotifications) {
  auto& one = open_session(1);
  one.stalled = true;
  for (int i = 0; i < 5; ++i) send("notifications/tools/list_changed");
  one.read();
  manual.poll();
  EXPECT_LE(one.received.size(), 2U);
  EXPECT_GE(one.received.size(), 1U);
}

TEST_F(SessionNotifierTest, KeepsEqualLogMessages) {
  auto& one = open_session(1);
  one.stalled = true;
  for (int i = 0; i < 3; ++i) send("notifications/message", R"({"level":"info","data":"again"})");
  one.read();
  manual.poll();
  EXPECT_THAT(one.received, SizeIs(3));
}

TEST_F(SessionNotifierTest, Attack_BoundsTheQueueOfAStalledClientWithoutDelayingOthers) {
  auto& sleeps = open_session(1);
  auto& reads = open_session(2);
  sleeps.stalled = true;
  for (int i = 0; i < 3000; ++i) send("notifications/message", R"({"level":"info","data":)" + std::to_string(i) + "}");
  EXPECT_THAT(reads.received, SizeIs(3000));
  sleeps.read();
  manual.poll();
  EXPECT_LE(sleeps.received.size(), 1025U);
}

TEST_F(SessionNotifierTest, ContinuesAfterAnException) {
  auto& one = open_session(1);
  one.throws = true;
  send("notifications/tools/list_changed");
  EXPECT_THAT(one.received, IsEmpty());
  send("notifications/prompts/list_changed");
  EXPECT_THAT(one.received, ElementsAre("notifications/prompts/list_changed"));
}

TEST_F(SessionNotifierTest, NotifiesASingleSession) {
  auto& one = open_session(1);
  auto& two = open_session(2);
  EXPECT_TRUE(notifier.notify(2, Notification{.method = "vendor/event"}));
  EXPECT_FALSE(notifier.notify(3, Notification{.method = "vendor/event"}));
  manual.poll();
  EXPECT_THAT(one.received, IsEmpty());
  EXPECT_THAT(two.received, ElementsAre("vendor/event"));
}

TEST_F(SessionNotifierTest, FindsTheSoleSessionOfACallerWithoutTheGatewayItself) {
  open_session(0);
  open_session(first_internal_key + 1);
  EXPECT_THAT(notifier.callers(), IsEmpty());
  auto& one = open_session(1);
  EXPECT_EQ(notifier.sole_session({.session = 1}), &one);
  auto& two = open_session(2);
  EXPECT_EQ(notifier.sole_session({.session = 1}), &one);
  EXPECT_EQ(notifier.sole_session({.session = 2}), &two);
  EXPECT_EQ(notifier.sole_session({.session = 3}), nullptr);
  EXPECT_EQ(notifier.callers().size(), 2U);
  EXPECT_EQ(notifier.newest_session_except(2), 1U);
}

TEST_F(SessionNotifierTest, Finding_S20_LimitsTheSubscriptionsOfASession) {
  open_session(1);
  open_session(2);
  const SubscriptionLimits limits;
  for (std::size_t i = 0; i < limits.per_session; ++i) {
    ASSERT_TRUE(notifier.check_subscription_limits(1, std::to_string(i)));
    notifier.subscribe(1, std::to_string(i));
  }
  EXPECT_TRUE(notifier.check_subscription_limits(1, "0")) << "already subscribed";
  EXPECT_EQ(notifier.check_subscription_limits(1, "more").error().message,
            "this session is subscribed to 1024 resources with URIs of 2986 bytes; the limit is 1024 with 1048576 "
            "bytes; unsubscribe from some first");
  EXPECT_TRUE(notifier.check_subscription_limits(2, "more"));
  notifier.unsubscribe(1, "0");
  EXPECT_TRUE(notifier.check_subscription_limits(1, "more"));
  hooks.erase(1);
  open_session(1);
  EXPECT_TRUE(notifier.check_subscription_limits(1, "more")) << "subscriptions end with the session";
}

TEST_F(SessionNotifierTest, Finding_S20_LimitsTheUriBytesOfASessionAndAPrincipal) {
  const SubscriptionLimits limits;
  const std::string half(limits.bytes_per_session / 2, 'u');
  for (std::uint64_t session = 1; session <= 8; ++session) {
    open_session(session);
    for (const auto* which : {"1", "2"}) {
      const auto uri = which + std::to_string(session) + half.substr(2);
      ASSERT_TRUE(notifier.check_subscription_limits(session, uri));
      notifier.subscribe(session, uri);
    }
    EXPECT_FALSE(notifier.check_subscription_limits(session, "x"));
  }
  open_session(9);
  EXPECT_NE(notifier.check_subscription_limits(9, "x").error().message.find(
                "your sessions together are subscribed to 16 resources"),
            std::string::npos);
  hooks.erase(3);
  EXPECT_TRUE(notifier.check_subscription_limits(9, "x"));
}

TEST_F(SessionNotifierTest, KeepsOneLogLevelPerSession) {
  open_session(1);
  open_session(2);
  notifier.set_level(1, protocol::LoggingLevel::warning);
  notifier.set_level(9, protocol::LoggingLevel::debug);
  EXPECT_EQ(notifier.level(1), protocol::LoggingLevel::warning);
  EXPECT_EQ(notifier.level(2), std::nullopt);
  EXPECT_EQ(notifier.level(9), std::nullopt) << "unknown session";
}

}  // namespace
}  // namespace fairlead::gateway::test
