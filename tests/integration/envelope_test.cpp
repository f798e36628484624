#include <fairlead/base/asio_task.hpp>
#include <gtest/gtest.h>

#include "integration/tool_schemas.hpp"
#include "integration/transport_pairs.hpp"
#include "support/messages.hpp"

/// The JSON-RPC envelope is equal on every transport.
namespace fairlead::test::envelope_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Records all messages as text.
class RecordingTransport final : public Transport {
 public:
  RecordingTransport(std::unique_ptr<Transport> next, std::vector<std::string>& sent,
                     std::vector<std::string>& received)
      : next_(std::move(next)), sent_(sent), received_(received) {}

  Task<Result<transport::Received>> receive() override {
    auto received = co_await next_->receive();
    if (received) received_.push_back(text(*received));
    co_return received;
  }
  Task<Result<void>> send(transport::Outgoing outgoing) override {
    sent_.push_back(jsonrpc::write(outgoing.message));
    return next_->send(std::move(outgoing));
  }
  void close() noexcept override { next_->close(); }

 private:
  std::unique_ptr<Transport> next_;
  std::vector<std::string>& sent_;
  std::vector<std::string>& received_;
};

/// Makes calls one by one and records the messages.
class Envelope : public testing::Test {
 protected:
  void run_session(const TransportCase& wire, std::vector<Call> calls) {
    sent_.clear();
    received_.clear();
    SessionLoop loop;
    auto ends = wire.connect(loop);
    ends.client = std::make_unique<RecordingTransport>(std::move(ends.client), sent_, received_);
    Server app{"demo", "1.0"};
    add_sample_tools(app);
    SessionPair dialogue(loop, *ends.client, ends.server.get(), app);
    bool over = false;
    async_start(loop.io, ask_all(dialogue.client(), std::move(calls)), [&](const std::exception_ptr&) { over = true; });
    ASSERT_TRUE(dialogue.ends(over)) << wire.name;
  }

  static Task<void> ask_all(session::Session& client, std::vector<Call> calls) {
    for (auto& call : calls) co_await client.peer().call(call);
    client.close();
  }

  std::vector<std::string> sent_, received_;
};

TEST_F(Envelope, S1_01_S1_02_S1_03_S1_04_IsTheSameOnEveryTransport) {
  std::vector<std::string> first;
  for (const auto& wire : every_transport) {
    run_session(wire,
                {tool_call("echo", R"({"text":"意味"})"), tool_call("fail"), tool_call("echo"), tool_call("missing")});
    ASSERT_EQ(sent_.size(), 4u) << wire.name;
    for (const auto& request : sent_) EXPECT_THAT(request, IsToolRequest()) << wire.name;
    ASSERT_EQ(received_.size(), 4u) << wire.name;
    EXPECT_THAT(received_[0], AllOf(IsToolResponse(), HasSubstr("意味"))) << wire.name;
    EXPECT_THAT(received_[1], AllOf(IsToolResponse(), HasSubstr(R"("isError":true)"))) << wire.name;
    EXPECT_THAT(received_[2], AllOf(IsToolResponse(), HasSubstr("text: is required"))) << wire.name;
    EXPECT_THAT(received_[3], AllOf(IsToolError(), HasSubstr("missing"))) << wire.name;
    if (first.empty()) first = received_;
    EXPECT_EQ(received_, first) << wire.name;
  }
}

// Sends requests with these ids without a client session.
Task<std::vector<std::string>> answers_to(Transport& client, std::vector<jsonrpc::Id> ids) {
  std::vector<std::string> answers;
  for (const auto& id : ids) {
    for (const auto* method : {"ping", "no/such"}) {
      transport::Outgoing outgoing{jsonrpc::Request{.id = id, .method = method}};
      co_await client.send(std::move(outgoing));
      answers.push_back(text(co_await client.receive()));
    }
  }
  client.close();
  co_return answers;
}

TEST(EveryTransportTest, S1_49_EchoesTheIdOfEveryRequestInResultsAndErrors) {
  const std::vector<jsonrpc::Id> ids = {0, 7, -1, std::int64_t{9007199254740993}, "7", "", "request-001", "意\"\n"};
  for (const auto& wire : every_transport) {
    SessionLoop loop;
    auto ends = wire.connect(loop);
    Server app{"demo", "1.0"};
    std::optional<session::Session> server;
    if (ends.server) server.emplace(loop.loop(), *ends.server, app);
    bool over = !server;
    if (server) {
      async_start(loop.io, server->run(), [&](const std::exception_ptr&, const Result<void>&) { over = true; });
    }
    const auto answers = wait_for(loop, answers_to(*ends.client, ids));
    while (!over) loop.io.run_one();
    ASSERT_EQ(answers.size(), 2 * ids.size());
    for (std::size_t at = 0; at < ids.size(); ++at) {
      const auto id = R"("id":)" + ids[at].to_json() + ",";
      EXPECT_THAT(answers[2 * at], AllOf(HasSubstr(id), HasSubstr("result"))) << wire.name;
      EXPECT_THAT(answers[2 * at + 1], AllOf(HasSubstr(id), HasSubstr("-32601"))) << wire.name;
    }
  }
}

TEST_F(Envelope, S2_02_AClientTalksToAServerProcessOverStdio) {
  run_session({"child", over_child},
              {{.method = "initialize", .params = json::Payload::trusted(R"({"protocolVersion":"2025-03-26"})")},
               tool_call("echo", R"({"text":"hello"})")});
  ASSERT_EQ(received_.size(), 2u);
  EXPECT_THAT(received_[0], HasSubstr(R"("protocolVersion":"2025-03-26")"));
  EXPECT_THAT(received_[1], HasSubstr("hello"));
}

// Fifty concurrent requests through a pipe that takes a hundred bytes at a time.
TEST(EveryTransportTest, S1_12_FramesOfConcurrentCallsNeverInterleave) {
  SessionLoop loop;
  auto ends = over_memory_bytes(loop);
  Server app{"demo", "1.0"};
  add_sample_tools(app);
  SessionPair dialogue(loop, *ends.client, ends.server.get(), app);
  int answered = 0;
  bool over = false;
  for (int i = 0; i < 50; ++i) {
    auto call = tool_call("echo", R"({"text":")" + std::string(500, static_cast<char>('a' + i % 26)) + "\"}");
    async_start(
        loop.io,
        [](session::Session& client, Call mine) -> Task<bool> {
          const auto sent = std::string(mine.params.text());
          const auto reply = co_await client.peer().call(mine);
          co_return reply && reply->body.text().find(sent.substr(30, 400)) != std::string_view::npos;
        }(dialogue.client(), std::move(call)),
        [&](const std::exception_ptr& thrown, bool good) {
          EXPECT_TRUE(!thrown && good);
          if (++answered < 50) return;
          dialogue.client().close();
          over = true;
        });
  }
  ASSERT_TRUE(dialogue.ends(over));
  EXPECT_EQ(answered, 50);
}

}  // namespace
}  // namespace fairlead::test::envelope_test
