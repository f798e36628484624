#include "transport/http_client/inbox.hpp"

#include <fairlead/base/start_task.hpp>
#include <gtest/gtest.h>
#include <string>

#include "support/messages.hpp"
#include "support/test_loop.hpp"

namespace fairlead::transport::inbox_test {
namespace {

Received note(int number) {
  return jsonrpc::Message(jsonrpc::Notification{"n/" + std::to_string(number), {}});
}

class InboxTest : public testing::Test {
 protected:
  void fill() {
    for (int i = 0; i < 16; ++i) ASSERT_TRUE(inbox.deliver(note(i)).is_ready());
  }
  void start_receiving() {
    start(loop.loop().executor, inbox.receive(), [this](auto outcome) { got += test::text(outcome.value()); });
  }

  test::TestLoop loop;
  Inbox inbox{loop.loop()};
  std::string got;
};

TEST_F(InboxTest, ReturnsAQueuedMessageAtOnce) {
  EXPECT_TRUE(inbox.deliver(note(1)).is_ready());
  auto receiving = inbox.receive();
  ASSERT_TRUE(receiving.is_ready());
  EXPECT_TRUE(receiving.take());
  EXPECT_FALSE(inbox.receive().is_ready());
}

TEST_F(InboxTest, ResumesTheReaderInline) {
  start_receiving();
  EXPECT_EQ(got, "");
  EXPECT_TRUE(inbox.deliver(note(1)).is_ready());
  EXPECT_NE(got.find("n/1"), std::string::npos) << got;
}

TEST_F(InboxTest, MakesSendersWaitWhileItIsFull) {
  fill();
  const auto delivering = loop.start([](Inbox& to) -> Task<bool> {
    co_await to.deliver(note(16));
    co_return true;
  }(inbox));
  loop.poll();
  EXPECT_FALSE(delivering.done());
  EXPECT_TRUE(inbox.receive().take());
  loop.poll();
  EXPECT_TRUE(delivering.done());
}

TEST_F(InboxTest, AcceptsFailedRequestsWhileItIsFull) {
  fill();
  inbox.fail_request(jsonrpc::Id(1), {.kind = ErrorKind::closed, .message = "lost"});
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(inbox.receive().take());
  const auto last = inbox.receive().take();
  ASSERT_TRUE(last);
  EXPECT_EQ(std::get<RequestFailed>(*last).error.message, "lost");
}

TEST_F(InboxTest, EndsTheWaitOfTheReaderAfterEndReturns) {
  start_receiving();
  inbox.end({.kind = ErrorKind::closed, .message = "over"});
  EXPECT_EQ(got, "");
  loop.poll();
  EXPECT_NE(got.find("over"), std::string::npos) << got;
  EXPECT_TRUE(inbox.deliver(note(1)).is_ready());
  EXPECT_FALSE(inbox.receive().take());
}

TEST_F(InboxTest, ReturnsQueuedMessagesAfterItsEnd) {
  EXPECT_TRUE(inbox.deliver(note(1)).is_ready());
  inbox.end({.kind = ErrorKind::closed, .message = "over"});
  EXPECT_TRUE(inbox.receive().take());
  EXPECT_FALSE(inbox.receive().take());
}

}  // namespace
}  // namespace fairlead::transport::inbox_test
