#include <fairlead/protocol/protocol_error.hpp>
#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

/// Requests of the peer.
namespace fairlead::session::incoming_request_test {
namespace {

constexpr auto send_request = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})";

Task<Result<Reply>> wait_for(std::shared_ptr<Promise<bool>> gate) {
  const auto is_set = co_await gate->wait();
  if (is_set) co_await next_turn;
  co_return Reply{.body = json::Payload::trusted(R"({"late":true})")};
}

TEST(IncomingRequest, EchoesTheIdInItsType) {
  SessionFixture fixture;
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":"one","method":"tools/call","params":{"name":"a"}})");
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":"one","result":{"name":"a"}})");
}

TEST(IncomingRequest, AnswersOutOfOrder_S0_25) {
  SessionFixture fixture;
  const auto gate = std::make_shared<Promise<bool>>();
  fixture.service.on_call = [&](Call& call) {
    return call.method == "tools/call" ? wait_for(gate) : TestService::echo(call);
  };
  fixture.peer_sends(send_request);
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":2,"result":{}})");
  gate->set(true);
  fixture.run_ready();
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":1,"result":{"late":true}})");
}

TEST(IncomingRequest, AnswersPingItself) {
  SessionFixture fixture;
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":99,"method":"ping"})");
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":99,"result":{}})");
  EXPECT_TRUE(fixture.service.calls.empty());
}

TEST(IncomingRequest, EncodesErrorsForTheDialect) {
  SessionFixture fixture({.dialect = protocol::ErrorDialect::chain});
  fixture.service.on_call = [](Call&) -> Task<Result<Reply>> {
    co_return std::unexpected(protocol::protocol_error(protocol::ProtocolError::unknown_tool, "", "a"));
  };
  fixture.peer_sends(send_request);
  EXPECT_EQ(
      fixture.sent_to_peer(),
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Tool not found","data":"Tool 'a' does not exist"}})");
}

TEST(IncomingRequest, DoesNotSendExceptionTexts) {
  SessionFixture fixture;
  fixture.service.on_call = [](Call&) -> Task<Result<Reply>> {
    throw std::runtime_error("/etc/secret");
    co_return Reply{};
  };
  fixture.peer_sends(send_request);
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}})");
  ASSERT_FALSE(fixture.log.lines().empty());
  EXPECT_NE(fixture.log.lines().back().message.find("/etc/secret"), std::string::npos);
}

TEST(IncomingRequest, CancellationReachesTheHandlerAndSendsNoResponse) {
  SessionFixture fixture;
  bool reached = false;
  const auto gate = std::make_shared<Promise<bool>>();
  fixture.service.on_call = [&](Call&) -> Task<Result<Reply>> {
    const auto opened = co_await gate->wait();
    reached = !opened;
    co_return Reply{};
  };
  fixture.peer_sends(send_request);
  fixture.peer_sends(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_TRUE(reached);
  EXPECT_EQ(fixture.sent_to_peer(), "");
  fixture.peer_sends(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}})");
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

TEST(IncomingRequest, RejectsAnIdInUse) {
  SessionFixture fixture;
  const auto gate = std::make_shared<Promise<bool>>();
  fixture.service.on_call = [&](Call&) { return wait_for(gate); };
  fixture.peer_sends(send_request);
  fixture.peer_sends(send_request);
  EXPECT_NE(fixture.sent_to_peer().find("-32600"), std::string::npos);
}

TEST(IncomingRequest, RejectsTooManyRequests) {
  SessionFixture fixture({.max_in_flight = 1});
  const auto gate = std::make_shared<Promise<bool>>();
  fixture.service.on_call = [&](Call&) { return wait_for(gate); };
  fixture.peer_sends(send_request);
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  EXPECT_NE(fixture.sent_to_peer().find("too many concurrent requests"), std::string::npos);
}

TEST(IncomingRequest, RepliesToInvalidMessages) {
  SessionFixture fixture;
  fixture.peer_sends("{");
  EXPECT_NE(fixture.sent_to_peer().find("-32700"), std::string::npos);
  fixture.peer_sends(send_request);
  EXPECT_NE(fixture.sent_to_peer().find("\"result\""), std::string::npos);
}

TEST(IncomingRequest, ClientDoesNotReplyToStrayOutput) {
  SessionFixture fixture({.side = Side::client});
  fixture.peer_sends("Server started on port 3000");
  EXPECT_EQ(fixture.sent_to_peer(), "");
}

TEST(IncomingRequest, AnswersPendingRequestsBeforeItEnds) {
  SessionFixture fixture;
  const auto gate = std::make_shared<Promise<bool>>();
  fixture.service.on_call = [&](Call&) { return wait_for(gate); };
  fixture.peer_sends(send_request);
  fixture.disconnect();
  EXPECT_FALSE(fixture.ended);
  gate->set(true);
  fixture.run_ready();
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":1,"result":{"late":true}})");
  ASSERT_TRUE(fixture.ended);
  EXPECT_TRUE(*fixture.ended);
}

TEST(IncomingRequest, LimitsTheDrainTime) {
  SessionFixture fixture({.drain_timeout = std::chrono::seconds{3}});
  const auto gate = std::make_shared<Promise<bool>>();
  fixture.service.on_call = [&](Call&) { return wait_for(gate); };
  fixture.peer_sends(send_request);
  fixture.disconnect();
  fixture.advance(std::chrono::seconds{4});
  EXPECT_TRUE(fixture.ended);
}

TEST(IncomingRequest, SendersWaitWhileThePeerDoesNotRead) {
  SessionFixture fixture({.max_queued = 2});
  fixture.transport.stalled = true;
  for (int id = 1; id <= 8; ++id) {
    fixture.peer_sends(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/list"})");
  }
  EXPECT_EQ(fixture.sent_to_peer(), "");
  fixture.transport.release();
  fixture.run_ready();
  EXPECT_EQ(fixture.transport.lines.size(), 8u);
}

TEST(IncomingRequest, EndsWhenWritingFails) {
  SessionFixture fixture;
  fixture.transport.broken = Error{.kind = ErrorKind::closed, .message = "broken pipe"};
  fixture.peer_sends(send_request);
  ASSERT_TRUE(fixture.ended);
  EXPECT_EQ(fixture.ended->error().message, "broken pipe");
}

TEST(IncomingRequest, PassesNotificationsOn_S3_07) {
  SessionFixture fixture;
  fixture.peer_sends(R"({"jsonrpc":"2.0","method":"initialized"})");
  EXPECT_EQ(fixture.service.notices, std::vector<std::string>{"notifications/initialized"});
  EXPECT_EQ(fixture.sent_to_peer(), "");
}

TEST(ReadyReply, IsSentAtOnce) {
  SessionFixture fixture;
  fixture.service.on_call = [](Call& call) -> Task<Result<Reply>> { return Reply{.body = call.params}; };
  fixture.peer_sends(
      R"({"jsonrpc":"2.0","id":"a long id, too long to be kept in place","method":"x/y","params":{"a":1}})");
  EXPECT_EQ(fixture.sent_to_peer(),
            R"({"jsonrpc":"2.0","id":"a long id, too long to be kept in place","result":{"a":1}})");
}

TEST(ReadyReply, ReturnsErrors) {
  SessionFixture fixture;
  fixture.service.on_call = [](Call&) -> Task<Result<Reply>> {
    return std::unexpected(protocol::protocol_error(protocol::ProtocolError::unknown_method, "", "x/y"));
  };
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":7,"method":"x/y"})");
  EXPECT_NE(fixture.sent_to_peer().find("-32601"), std::string::npos);
}

TEST(ReadyReply, ConvertsExceptionToInternalError) {
  SessionFixture fixture;
  fixture.service.on_call = [](Call&) -> Task<Result<Reply>> { throw std::runtime_error("secret"); };
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":7,"method":"x/y"})");
  const auto received = fixture.sent_to_peer();
  EXPECT_NE(received.find("-32603"), std::string::npos);
  EXPECT_EQ(received.find("secret"), std::string::npos);
}

TEST(ReadyReply, AddsResponseToItsBatch) {
  SessionFixture fixture;
  fixture.service.on_call = [](Call& call) -> Task<Result<Reply>> { return Reply{.body = call.params}; };
  fixture.peer_sends(
      R"([{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"a":1}},{"jsonrpc":"2.0","id":2,"method":"ping"}])");
  EXPECT_EQ(fixture.sent_to_peer(),
            R"([{"jsonrpc":"2.0","id":1,"result":{"a":1}},{"jsonrpc":"2.0","id":2,"result":{}}])");
}

TEST(ReadyReply, QueuesWhileThePeerDoesNotRead) {
  SessionOptions options;
  options.max_queued = 1;
  SessionFixture fixture(options);
  fixture.transport.stalled = true;
  fixture.service.on_call = [](Call& call) -> Task<Result<Reply>> { return Reply{.body = call.params}; };
  for (int i = 0; i < 4; ++i) {
    fixture.peer_sends(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"x/y","params":{}})");
  }
  // One response is being written and one is queued; the other requests are not read.
  EXPECT_EQ(fixture.transport.unread(), 2U);
  fixture.transport.release();
  fixture.run_ready();
  EXPECT_EQ(fixture.transport.lines.size(), 4U);
}

}  // namespace
}  // namespace fairlead::session::incoming_request_test
