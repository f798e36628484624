#include "session/coalescing_notifier.hpp"

#include <boost/asio/post.hpp>
#include <fairlead/base/task_scope.hpp>
#include <gtest/gtest.h>

#include "base/async_event.hpp"
#include "support/test_loop.hpp"

namespace fairlead::session::coalescing_notifier_test {
namespace {

constexpr auto tools_changed = "notifications/tools/list_changed";
constexpr auto prompts_changed = "notifications/prompts/list_changed";

/// Keeps the methods of its notifications, and blocks until `release` is called.
class SlowPeer final : public Service {
 public:
  explicit SlowPeer(boost::asio::any_io_executor executor) : released_(std::move(executor)) {}

  Task<Result<Reply>> call(Call&) override { co_return fail(ErrorKind::refused, "notifications only"); }
  Task<void> notify(Notification& notice) override {
    received.push_back(notice.method);
    while (blocked) co_await released_.wait();
  }

  void release() {
    blocked = false;
    released_.notify();
  }

  std::vector<std::string> received;
  bool blocked = false;

 private:
  AsyncEvent released_;
};

struct CoalescingNotifierTest : testing::Test {
  ~CoalescingNotifierTest() override {
    scope.cancel();
    loop.poll();
  }

  SessionRef ref() { return {.key = 1, .peer = peer, .tasks = scope}; }

  test::TestLoop loop;
  SlowPeer peer{loop.loop().executor};
  TaskScope scope{loop.loop().executor, loop.log(), "session"};
};

using Methods = std::vector<std::string>;

TEST_F(CoalescingNotifierTest, SendsEqualChangesOfABurstOnce) {
  CoalescingNotifier notifier(ref());
  for (const auto* method : {tools_changed, prompts_changed, tools_changed}) notifier.notify({.method = method});
  loop.poll();
  EXPECT_EQ(peer.received, (Methods{tools_changed, prompts_changed}));
}

TEST_F(CoalescingNotifierTest, KeepsNotificationsWithOtherParams) {
  CoalescingNotifier notifier(ref());
  for (const auto* uri : {R"({"uri":"a:1"})", R"({"uri":"a:2"})", R"({"uri":"a:1"})"}) {
    notifier.notify({.method = "notifications/resources/updated", .params = json::Payload::trusted(uri)});
  }
  loop.poll();
  EXPECT_EQ(peer.received.size(), 2U);
}

TEST_F(CoalescingNotifierTest, SendsAChangeAgainThatCameWhileItWasSent) {
  CoalescingNotifier notifier(ref());
  peer.blocked = true;
  notifier.notify({.method = tools_changed});
  loop.poll();
  for (int i = 0; i < 3; ++i) notifier.notify({.method = tools_changed});
  loop.poll();
  EXPECT_EQ(peer.received.size(), 1U) << "one at a time";
  peer.release();
  loop.poll();
  EXPECT_EQ(peer.received, (Methods{tools_changed, tools_changed}));
}

TEST_F(CoalescingNotifierTest, SendsAtOnceIfItDoesNotWaitForABurst) {
  CoalescingNotifier notifier(ref(), BurstStart::at_once);
  Methods received_at_once;
  boost::asio::post(loop.loop().executor, [&] {
    notifier.notify({.method = tools_changed});
    received_at_once = peer.received;
  });
  loop.poll();
  EXPECT_EQ(received_at_once, (Methods{tools_changed}));
}

TEST_F(CoalescingNotifierTest, SendsEveryLogMessage) {
  CoalescingNotifier notifier(ref());
  for (int i = 0; i < 3; ++i) notifier.notify({.method = "notifications/message"});
  loop.poll();
  EXPECT_EQ(peer.received.size(), 3U);
}

TEST_F(CoalescingNotifierTest, DropsNotificationsBeyondItsQueue) {
  CoalescingNotifier notifier(ref(), BurstStart::next_iteration, NotificationQueue(2));
  for (int i = 0; i < 5; ++i) notifier.notify({.method = "notifications/message"});
  loop.poll();
  EXPECT_EQ(peer.received.size(), 2U);
}

TEST_F(CoalescingNotifierTest, Finding_S1_MayEndWhileItSends) {
  peer.blocked = true;
  {
    CoalescingNotifier notifier(ref());
    notifier.notify({.method = tools_changed});
    loop.poll();
    notifier.notify({.method = prompts_changed});
  }
  peer.release();
  loop.poll();
  EXPECT_EQ(peer.received, (Methods{tools_changed, prompts_changed}));
}

}  // namespace
}  // namespace fairlead::session::coalescing_notifier_test
