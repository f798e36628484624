#include <boost/asio/as_tuple.hpp>
#include <deque>
#include <fairlead/base/asio_task.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/tool_schemas.hpp"
#include "integration/transport_pairs.hpp"

/// A custom transport, written from the documented contract only.
namespace fairlead::test::custom_transport_test {
namespace {

using testing::HasSubstr;

struct MessageQueue {
  explicit MessageQueue(boost::asio::io_context& io) : news(io, boost::asio::steady_timer::time_point::max()) {}
  std::deque<std::string> letters;
  std::vector<std::string> all;
  bool closed = false;
  boost::asio::steady_timer news;
};

class QueueTransport final : public Transport {
 public:
  QueueTransport(MessageQueue& in, MessageQueue& out) : in_(in), out_(out) {}

  Task<Result<transport::Received>> receive() override {
    while (in_.letters.empty() && !in_.closed) {
      co_await in_.news.async_wait(boost::asio::as_tuple(use_task));
    }
    if (in_.letters.empty()) co_return fail(ErrorKind::closed, "the mailbox is gone");
    auto read = jsonrpc::read(std::move(in_.letters.front()));
    in_.letters.pop_front();
    if (!read) co_return transport::InvalidMessage{std::move(read.error())};
    co_return std::visit([](auto& what) { return transport::Received(std::move(what)); }, *read);
  }
  Task<Result<void>> send(transport::Outgoing outgoing) override {
    if (out_.closed) co_return fail(ErrorKind::closed, "the mailbox is gone");
    out_.letters.push_back(jsonrpc::write(outgoing.message));
    out_.all.push_back(out_.letters.back());
    out_.news.cancel();
    co_return Result<void>();
  }
  void close() noexcept override {
    in_.closed = out_.closed = true;
    in_.news.cancel();
    out_.news.cancel();
  }

 private:
  MessageQueue& in_;
  MessageQueue& out_;
};

TEST(CustomTransport, S2_46_KeepsTheFormatAndTheLifecycle) {
  SessionLoop loop;
  MessageQueue there(loop.io), back(loop.io);
  QueueTransport client(back, there), server(there, back);
  Server app{"demo", "1.0"};
  add_sample_tools(app);
  SessionPair dialogue(loop, client, &server, app);
  ClientScript script(loop, dialogue.client());
  ASSERT_TRUE(dialogue.ends(script.over));
  EXPECT_TRUE(script.untouched());

  ASSERT_GE(there.all.size(), 6u);
  EXPECT_THAT(there.all[0], HasSubstr(R"("method":"initialize")"));
  EXPECT_EQ(there.all[1], R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  for (const auto* mailbox : {&there, &back}) {
    for (const auto& letter : mailbox->all) EXPECT_TRUE(jsonrpc::read(letter)) << letter;
  }
}

}  // namespace
}  // namespace fairlead::test::custom_transport_test
