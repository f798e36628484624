#include "http/websocket_connection.hpp"

#include <gtest/gtest.h>

#include "http/memory_stream.hpp"
#include "support/test_loop.hpp"

namespace fairlead::http::websocket_connection_test {
namespace {

using namespace std::chrono_literals;
using Text = Result<std::string>;

/// A WebSocket and the raw other end of its connection.
class WebSocketTest : public testing::Test {
 protected:
  std::unique_ptr<WebSocket> open(WebSocketOptions options = {}, bool is_client = false, std::string leftover = {}) {
    return make_websocket(loop.loop(), *wire.near, std::move(leftover), is_client, "mcp", std::move(options));
  }

  /// A masked frame, as a client sends it.
  void feed(Opcode opcode, std::string_view payload) {
    std::string out;
    write_frame(out, opcode, payload, MaskKey{1, 2, 3, 4});
    const std::array<std::string_view, 1> pieces{out};
    wire.far->write_now(pieces);
  }

  std::vector<WebSocketEvent> written(bool by_client = false) {
    loop.poll();
    WebSocketParser reader(!by_client, 1 << 20);
    std::string_view bytes = wire.far->in().bytes;
    std::vector<WebSocketEvent> inputs;
    for (auto input = reader.read(bytes); input && *input; input = reader.read(bytes)) {
      inputs.push_back(std::move(**input));
    }
    return inputs;
  }

  static CloseReason error_message(const WebSocketEvent& input) {
    EXPECT_EQ(input.kind, Opcode::close);
    return read_close(input.payload).value_or(CloseReason{.code = 0});
  }

  test::TestLoop loop;
  test::MemoryStreams wire{loop.loop()};
};

TEST_F(WebSocketTest, ReceivesMessagesInTheirOrder) {
  const auto socket = open();
  feed(Opcode::text, "one");
  feed(Opcode::text, "two");
  EXPECT_EQ(loop.run(socket->receive()), Text("one"));
  EXPECT_EQ(loop.run(socket->receive()), Text("two"));
}

TEST_F(WebSocketTest, ReceiveNowReturnsBufferedMessages) {
  const auto socket = open();
  feed(Opcode::text, "one");
  feed(Opcode::ping, "p");
  feed(Opcode::text, "two");
  EXPECT_EQ(socket->receive_now(), std::nullopt);
  EXPECT_EQ(loop.run(socket->receive()), Text("one"));
  EXPECT_EQ(socket->receive_now(), "two");
  feed(Opcode::text, "three");
  EXPECT_EQ(socket->receive_now(), std::nullopt);
  EXPECT_EQ(loop.run(socket->receive()), Text("three"));
}

TEST_F(WebSocketTest, AnswersMessagesBeforeACloseFrame) {
  const auto socket = open();
  feed(Opcode::text, "question");
  feed(Opcode::close, close_payload({.code = 1000}));
  EXPECT_EQ(loop.run(socket->receive()), Text("question"));
  EXPECT_EQ(socket->receive_now(), std::nullopt);
  ASSERT_TRUE(socket->has_room());
  socket->queue("answer");
  EXPECT_FALSE(loop.run(socket->receive()));
  const auto inputs = written();
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[0].payload, "answer");
  EXPECT_EQ(inputs[1].kind, Opcode::close);
  EXPECT_FALSE(socket->has_room());
}

TEST_F(WebSocketTest, YieldsBetweenReads) {
  const auto socket = open();
  // More than one read returns.
  for (int i = 0; i < 40; ++i) feed(Opcode::text, std::string(1000, 'x'));
  ASSERT_TRUE(loop.run(socket->receive()));
  int together = 1;
  while (socket->receive_now()) ++together;
  EXPECT_LT(together, 40);
}

TEST_F(WebSocketTest, StartsWithBytesReadAfterTheHandshake) {
  std::string early;
  write_frame(early, Opcode::text, "early", MaskKey{9, 9, 9, 9});
  const auto socket = open({}, false, early + early);
  EXPECT_EQ(loop.run(socket->receive()), Text("early"));
  EXPECT_EQ(loop.run(socket->receive()), Text("early"));
}

TEST_F(WebSocketTest, SendsSeveralMessagesAtOnce) {
  const auto socket = open();
  std::vector<std::string> texts{"one", std::string(70'000, 'x')};
  EXPECT_TRUE(loop.run(socket->send_all(std::move(texts))));
  const auto inputs = written();
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[0], (WebSocketEvent{Opcode::text, "one"}));
}

TEST_F(WebSocketTest, WritesQueuedMessagesTogether) {
  const auto socket = open();
  socket->queue("one");
  socket->queue("two");
  EXPECT_TRUE(written().empty());
  EXPECT_TRUE(socket->flush_now());
  EXPECT_EQ(written().size(), 2U);
}

TEST_F(WebSocketTest, WritesAtOnceWhenMuchIsQueued) {
  const auto socket = open();
  for (int i = 0; i < 5; ++i) socket->queue(std::string(1000, 'x'));
  EXPECT_EQ(written().size(), 5U);
}

TEST_F(WebSocketTest, HasNoRoomWhileThePeerIsSlow) {
  const auto socket = open();
  wire.near->out().capacity = 10;
  EXPECT_TRUE(socket->has_room());
  socket->queue("longer than ten bytes");
  EXPECT_FALSE(socket->flush_now());
  const auto flushed = loop.start(socket->flush());
  loop.poll();
  EXPECT_FALSE(socket->has_room());
  wire.near->out().capacity = test::MemoryStream::plenty;
  wire.near->out().changed.notify();
  EXPECT_TRUE(loop.finish(flushed));
  EXPECT_TRUE(socket->has_room());
}

TEST_F(WebSocketTest, LimitsQueuedOutput) {
  const auto socket = open();
  wire.near->out().capacity = 0;
  std::size_t taken = 0;
  for (; socket->has_room() && taken < 1000; ++taken) socket->queue(std::string(1000, 'x'));
  EXPECT_LT(taken, 100U);
}

TEST_F(WebSocketTest, MasksWithANewKeyAsAClient) {
  const auto socket = open({}, true);
  EXPECT_TRUE(loop.run(socket->send("same")));
  EXPECT_TRUE(loop.run(socket->send("same")));
  const auto& bytes = wire.far->in().bytes;
  ASSERT_EQ(bytes.size(), 20U);
  EXPECT_NE(bytes.substr(2, 4), bytes.substr(12, 4));
  EXPECT_EQ(written(true).at(1).payload, "same");
}

TEST_F(WebSocketTest, WaitsWhileThePeerDoesNotRead) {
  const auto socket = open();
  wire.near->out().capacity = 10;
  const auto sent = loop.start(socket->send("this is longer than ten bytes"));
  loop.poll();
  EXPECT_FALSE(sent.done());
  wire.near->out().capacity = test::MemoryStream::plenty;
  wire.near->out().changed.notify();
  EXPECT_TRUE(loop.finish(sent));
  EXPECT_EQ(written().at(0).payload, "this is longer than ten bytes");
}

TEST_F(WebSocketTest, DoesNotInterleaveFramesOfSenders) {
  const auto socket = open();
  wire.near->out().capacity = 3;
  const auto one = loop.start(socket->send("first"));
  const auto two = loop.start(socket->send("second"));
  std::string all;
  while (!one.done() || !two.done()) {
    all += std::exchange(wire.far->in().bytes, {});
    wire.far->in().changed.notify();
    loop.poll();
  }
  wire.far->in().bytes = all + wire.far->in().bytes;
  const auto inputs = written();
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[0].payload, "first");
  EXPECT_EQ(inputs[1].payload, "second");
}

TEST_F(WebSocketTest, AnswersAPingWithItsPayload) {
  const auto socket = open();
  feed(Opcode::ping, "hello?");
  const auto waiting = loop.start(socket->receive());
  const auto inputs = written();
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(inputs[0], (WebSocketEvent{Opcode::pong, "hello?"}));
  socket->abort();
  EXPECT_FALSE(loop.finish(waiting));
}

TEST_F(WebSocketTest, AnswersOnlyTheLatestPingOfAFloodThatIsNotRead) {
  const auto socket = open();
  wire.near->out().capacity = 1;
  for (int i = 0; i < 1000; ++i) feed(Opcode::ping, "ping " + std::to_string(i));
  feed(Opcode::text, "still reading");
  EXPECT_EQ(loop.run(socket->receive()), Text("still reading"));
  wire.near->out().capacity = test::MemoryStream::plenty;
  EXPECT_TRUE(loop.run(socket->send("x")));
  const auto inputs = written();
  ASSERT_EQ(inputs.size(), 3U);
  EXPECT_EQ(inputs[0].payload, "ping 0");
  EXPECT_EQ(inputs[1].payload, "x");
  EXPECT_EQ(inputs[2].payload, "ping 999");
}

TEST_F(WebSocketTest, EchoesAndReportsTheCloseCode) {
  const auto socket = open();
  feed(Opcode::close, close_payload({.code = 4001, .text = "enough"}));
  const auto message = loop.run(socket->receive());
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().kind, ErrorKind::closed);
  EXPECT_EQ(message.error().code, 4001);
  EXPECT_NE(message.error().message.find("4001: enough"), std::string::npos);
  EXPECT_EQ(error_message(written().at(0)).code, 4001);
  EXPECT_TRUE(wire.far->in().ended);
}

TEST_F(WebSocketTest, ClosesWithTheCodeOfAViolation) {
  struct Case {
    std::string bytes;
    std::uint16_t code;
  };
  std::string bad_text, too_big, binary, bad_close;
  write_frame(bad_text, Opcode::text, "\xFF", MaskKey{});
  write_frame(too_big, Opcode::text, std::string(200, 'x'), MaskKey{});
  write_frame(binary, Opcode::binary, "x", MaskKey{});
  write_frame(bad_close, Opcode::close, "\x03", MaskKey{});
  for (const auto& [bytes, code] : {Case{"\x81\x01x", 1002}, Case{bad_text, 1007}, Case{too_big, 1009},
                                    Case{binary, 1003}, Case{bad_close, 1002}}) {
    wire = test::MemoryStreams(loop.loop());
    const auto socket = open({.max_message = 100});
    wire.near->in().bytes = bytes;
    const auto message = loop.run(socket->receive());
    ASSERT_FALSE(message);
    EXPECT_EQ(message.error().kind, ErrorKind::malformed);
    EXPECT_EQ(error_message(written().at(0)).code, code);
    EXPECT_TRUE(wire.far->in().ended);
    EXPECT_FALSE(loop.run(socket->send("late")));
  }
}

TEST_F(WebSocketTest, ClosesWithCodeAndReasonAndWaitsForTheAnswer) {
  const auto socket = open();
  const auto closed = loop.start([](WebSocket& it) -> Task<bool> {
    co_await it.close(close_code::internal_error, "broken");
    co_return true;
  }(*socket));
  EXPECT_EQ(error_message(written().at(0)), (CloseReason{.code = 1011, .text = "broken"}));
  EXPECT_FALSE(closed.done());
  feed(Opcode::text, "too late to matter");
  feed(Opcode::close, close_payload({.code = 1011}));
  EXPECT_TRUE(loop.finish(closed));
  EXPECT_TRUE(wire.far->in().ended);
}

TEST_F(WebSocketTest, CloseTimesOut) {
  const auto socket = open({.close_timeout = 30ms});
  const auto waiting = loop.start(socket->receive());
  loop.run([](WebSocket& it) -> Task<bool> {
    co_await it.close(close_code::normal, "");
    co_return true;
  }(*socket));
  const auto message = loop.finish(waiting);
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().kind, ErrorKind::closed);
}

TEST_F(WebSocketTest, SendsNothingAfterItsCloseFrame) {
  const auto socket = open();
  wire.near->out().capacity = 0;
  feed(Opcode::ping, "p");
  const auto waiting = loop.start(socket->receive());
  loop.poll();
  const auto closed = loop.start([](WebSocket& it) -> Task<bool> {
    co_await it.close(close_code::going_away, "");
    co_return true;
  }(*socket));
  loop.poll();
  EXPECT_FALSE(loop.run(socket->send("x")));
  wire.near->out().capacity = test::MemoryStream::plenty;
  wire.near->out().changed.notify();
  loop.poll();
  feed(Opcode::ping, "q");
  feed(Opcode::close, close_payload({.code = 1001}));
  EXPECT_TRUE(loop.finish(closed));
  EXPECT_FALSE(loop.finish(waiting));
  EXPECT_EQ(written().back().kind, Opcode::close);
}

TEST_F(WebSocketTest, PingsWhenIdleAndDetectsADeadPeer) {
  const auto socket = open({.ping_interval = 20ms});
  const auto message = loop.run(socket->receive());
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().kind, ErrorKind::closed);
  EXPECT_NE(message.error().message.find("ping"), std::string::npos);
  EXPECT_EQ(written().at(0).kind, Opcode::ping);
}

TEST_F(WebSocketTest, ReportsADisconnectWithoutACloseFrame) {
  const auto socket = open();
  wire.far->close();
  const auto message = loop.run(socket->receive());
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().kind, ErrorKind::closed);
}

TEST_F(WebSocketTest, EndsPendingCallsWhenAborted) {
  const auto socket = open();
  wire.near->out().capacity = 1;
  const auto waiting = loop.start(socket->receive());
  const auto sending = loop.start(socket->send("text"));
  loop.poll();
  socket->abort();
  EXPECT_EQ(loop.finish(waiting).error().kind, ErrorKind::closed);
  EXPECT_EQ(loop.finish(sending).error().kind, ErrorKind::closed);
  EXPECT_EQ(socket->subprotocol(), "mcp");
}

TEST_F(WebSocketTest, Finding_S7_ClosesIfThePeerDoesNotRead) {
  WebSocketOptions options;
  options.write_timeout = 10ms;
  const auto socket = open(std::move(options));
  wire.near->out().capacity = 1000;
  const auto sent = loop.run(socket->send(std::string(5000, 'x')));
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().kind, ErrorKind::closed);
  EXPECT_NE(sent.error().message.find("does not read"), std::string::npos) << sent.error().message;
}

TEST_F(WebSocketTest, AnswersManyPingsWithOnePong) {
  const auto socket = open();
  wire.near->out().capacity = 1;
  const auto receiving = loop.start(socket->receive());
  for (int i = 0; i < 1000; ++i) feed(Opcode::ping, std::to_string(i));
  loop.poll();
  wire.near->out().capacity = test::MemoryStream::plenty;
  wire.near->out().changed.notify();
  feed(Opcode::ping, "last");
  feed(Opcode::text, "end");
  EXPECT_EQ(loop.finish(receiving), Text("end"));
  EXPECT_LE(written().size(), 3U);
}

}  // namespace
}  // namespace fairlead::http::websocket_connection_test
