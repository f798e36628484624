#include <fairlead/transport/framed_transport.hpp>

#include <fairlead/transport/memory.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/failing_stream.hpp"
#include "support/messages.hpp"
#include "support/test_loop.hpp"

namespace fairlead::transport::framed_transport_test {
namespace {

using namespace test;
using testing::HasSubstr;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
const std::string pong = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";

std::string counted(std::string_view text) {
  std::string out;
  append_frame(out, text, Framing::content_length);
  return out;
}

class FramedTransportTest : public testing::Test {
 protected:
  void connect(FramedOptions options = {}, MemoryBytes bytes = {}) {
    auto [near, far] = memory_byte_pair(loop_.loop(), bytes);
    transport_ = std::make_unique<FramedTransport>(loop_.loop(), std::move(near), std::move(options));
    peer_ = std::move(far);
  }

  void peer_sends(std::string bytes) { ASSERT_TRUE(loop_.run(peer_->write(bytes))); }
  std::string receive() { return text(loop_.run(transport_->receive())); }
  std::string sent_to_peer() {
    std::string buffer(100'000, '\0');
    buffer.resize(loop_.run(peer_->read(buffer)).value());
    return buffer;
  }
  std::string sent(int id) {
    EXPECT_TRUE(loop_.run(transport_->send({request(id)})));
    return sent_to_peer();
  }

  TestLoop loop_;
  std::unique_ptr<FramedTransport> transport_;
  std::unique_ptr<ByteStream> peer_;
};

TEST_F(FramedTransportTest, S0_05_WritesHeadersUntilALineWasReceived) {
  connect({.output = OutputFraming::follow_input});
  EXPECT_EQ(sent(1), counted(ping));
  peer_sends(counted(ping));
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(sent(1), counted(ping));
  peer_sends(ping + "\n");
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(sent(1), ping + "\n");
  peer_sends(counted(ping));
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(sent(1), ping + "\n");
}

TEST_F(FramedTransportTest, S0_05_GarbageBetweenFramedMessagesKeepsHeaders) {
  connect({.output = OutputFraming::follow_input});
  peer_sends(counted(ping) + "\nwhat?\n");
  EXPECT_EQ(receive(), ping);
  EXPECT_THAT(receive(), HasSubstr("-32700"));
  EXPECT_EQ(sent(1), counted(ping));
}

TEST_F(FramedTransportTest, S0_05_InvalidFirstLineSelectsLineMode) {
  connect({.output = OutputFraming::follow_input});
  peer_sends("what?\n");
  EXPECT_THAT(receive(), HasSubstr("-32700"));
  EXPECT_EQ(sent(1), ping + "\n");
}

TEST_F(FramedTransportTest, S1_07_WritesLinesByDefault) {
  connect();
  EXPECT_EQ(sent(1), ping + "\n");
}

TEST_F(FramedTransportTest, S0_22_FramedMessageNeedsNoNewline) {
  connect({.output = OutputFraming::content_length});
  peer_sends(counted(ping));
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(sent(2), counted(pong));
}

TEST_F(FramedTransportTest, S2_03b_TransfersBatches) {
  connect();
  peer_sends("[" + ping + "," + pong + "]\n");
  EXPECT_EQ(receive(), "[" + ping + "," + pong + "]");
  ASSERT_TRUE(loop_.run(transport_->send_batch({request(1), request(2)})));
  EXPECT_EQ(sent_to_peer(), "[" + ping + "," + pong + "]\n");
}

TEST_F(FramedTransportTest, S1_08_S3_02_ReadsLinesSplitAnywhere) {
  connect({}, {.chunk = 1});
  peer_sends(ping + "\n" + pong + "\n");
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(receive(), pong);
}

TEST_F(FramedTransportTest, S2_05_NeverWritesANewlineInsideAMessage) {
  connect();
  auto message = jsonrpc::Request{.id = 1, .method = "a\nb", .params = json::Payload::trusted("{\n\"a\":\r\n1}")};
  ASSERT_TRUE(loop_.run(transport_->send({message})));
  const auto line = sent_to_peer();
  EXPECT_EQ(line.find_first_of("\r\n"), line.size() - 1);
}

TEST_F(FramedTransportTest, ReportsInvalidInputAndReadsTheNext) {
  connect();
  peer_sends("{oops}\n" + ping + "\n");
  EXPECT_THAT(receive(), HasSubstr("-32700"));
  EXPECT_EQ(receive(), ping);
}

TEST_F(FramedTransportTest, BrokenMessageIsReportedAfterATimeoutAndLosesNothing) {
  connect();
  peer_sends("Content-Length: 5\r\n\r\n{\"a\":" + ping + "\n");
  EXPECT_THAT(receive(), HasSubstr("-32700"));
  EXPECT_EQ(receive(), ping);
}

TEST_F(FramedTransportTest, RejectsTooLargeMessageAndReadsTheNext) {
  connect({.max_message = 50});
  peer_sends("{\"a\":\"" + std::string(500, 'x') + "\"}\n" + ping + "\n");
  EXPECT_THAT(receive(), HasSubstr("longer than 50 bytes"));
  EXPECT_EQ(receive(), ping);
}

TEST_F(FramedTransportTest, RejectsTooDeepMessage) {
  connect({.max_depth = 4});
  peer_sends(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[[[[1]]]]}})"
             "\n");
  EXPECT_THAT(receive(), HasSubstr("-32600"));
}

TEST_F(FramedTransportTest, S0_07_StripsOrRejectsByteOrderMark) {
  connect();
  peer_sends("\xEF\xBB\xBF" + ping + "\n");
  EXPECT_EQ(receive(), ping);
  EXPECT_TRUE(loop_.log().contains("BOM contamination"));
  connect({.byte_order_mark = ByteOrderMark::refuse});
  peer_sends("\xEF\xBB\xBF" + ping + "\n" + pong + "\n");
  EXPECT_THAT(receive(), HasSubstr("-32700"));
  EXPECT_EQ(receive(), pong);
}

TEST_F(FramedTransportTest, WrongLengthIsAnErrorByPolicy) {
  connect({.length_mismatch = LengthMismatch::error});
  peer_sends("Content-Length: 10\r\n\r\n" + ping + "\n" + counted(pong));
  EXPECT_THAT(receive(), HasSubstr("-32700"));
  EXPECT_THAT(receive(), HasSubstr("-32700"));
  EXPECT_EQ(receive(), pong);
}

TEST_F(FramedTransportTest, RejectsLinesIfContentLengthIsRequired) {
  connect({.input = InputFraming::content_length});
  peer_sends(ping + "\n" + counted(pong));
  EXPECT_THAT(receive(), HasSubstr("no Content-Length"));
  EXPECT_EQ(receive(), pong);
}

TEST_F(FramedTransportTest, S0_28_DebugLogHasTheDocumentedFormat) {
  connect({.output = OutputFraming::follow_input, .name = "stdio"});
  peer_sends(counted(ping));
  receive();
  sent(2);
  peer_sends(ping + "\n");
  receive();
  sent(2);
  std::vector<std::string> lines;
  for (const auto& line : loop_.log().lines()) {
    EXPECT_EQ(line.component, "stdio");
    EXPECT_EQ(line.level, LogLevel::debug);
    lines.push_back(line.message);
  }
  EXPECT_THAT(lines, testing::ElementsAre("stdin chunk=62", "headerEnd=22 contentLength=40", "recv method=ping id=1",
                                          "recv json=" + ping, "send (framed) bytes=40", "send json=" + pong,
                                          "stdin chunk=41", "recv method=ping id=1", "recv json=" + ping,
                                          "send (line) bytes=40", "send json=" + pong));
}

TEST_F(FramedTransportTest, Finding_D2_DebugLogTruncatesLongMessages) {
  connect();
  const auto text = std::string(30'000, 'x');
  peer_sends(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":")" + text + "\"}}\n");
  receive();
  EXPECT_TRUE(loop_.log().contains("recv json={"));
  EXPECT_TRUE(loop_.log().contains("xxx... (300"));
  for (const auto& line : loop_.log().lines()) EXPECT_LT(line.message.size(), 20'000U);
}

TEST_F(FramedTransportTest, S0_29_WarnsAboutLengthMismatchAndMissingEmptyLine) {
  connect();
  peer_sends("Content-Length: 7\r\n\r\n" + ping + "Content-Length: 40\r\n" + pong);
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(receive(), pong);
  EXPECT_TRUE(loop_.log().contains("length mismatch: Content-Length is 7, but the message has 40 bytes"));
  EXPECT_TRUE(loop_.log().contains("missing CRLFCRLF"));
}

TEST_F(FramedTransportTest, S1_16_LogsInvalidInput) {
  connect();
  peer_sends("what?\n");
  receive();
  EXPECT_TRUE(loop_.log().contains("text=what?"));
}

TEST_F(FramedTransportTest, S1_17_EndOfStreamIsClosed) {
  connect();
  peer_sends(ping);
  peer_->close();
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(receive(), "closed: the peer closed the stream");
  EXPECT_EQ(receive(), "closed: the peer closed the stream");
  const auto send = loop_.run(transport_->send({request(1)}));
  ASSERT_FALSE(send);
  EXPECT_EQ(send.error().kind, ErrorKind::closed);
}

TEST_F(FramedTransportTest, S1_10_ClosingEndsAPendingReceiveAndThePeersToo) {
  connect();
  const auto pending = loop_.start(transport_->receive());
  loop_.poll();
  transport_->close();
  EXPECT_EQ(loop_.finish(pending).error().kind, ErrorKind::closed);
  char byte = 0;
  EXPECT_EQ(loop_.run(peer_->read({&byte, 1})), 0u);
}

TEST_F(FramedTransportTest, S0_23_ASendWaitsWhileThePeerDoesNotRead) {
  connect({}, {.capacity = 16});
  const auto pending = loop_.start(transport_->send({request(1)}));
  loop_.poll();
  EXPECT_FALSE(pending.done());
  std::string all;
  while (all.size() < ping.size() + 1) all += sent_to_peer();
  EXPECT_TRUE(loop_.finish(pending));
  EXPECT_EQ(all, ping + "\n");
}

class CountingStream final : public ByteStream {
 public:
  explicit CountingStream(std::vector<std::string>& writes) : writes_(writes) {}
  Task<Result<std::size_t>> read(std::span<char>) override { co_return std::size_t{0}; }
  Task<Result<void>> write(std::string_view bytes) override {
    writes_.emplace_back(bytes);
    co_return Result<void>();
  }
  void close() noexcept override {}

 private:
  std::vector<std::string>& writes_;
};

TEST_F(FramedTransportTest, S1_11_S1_11b_OneMessageIsOneWrite) {
  for (const auto output : {OutputFraming::line, OutputFraming::content_length}) {
    std::vector<std::string> writes;
    FramedTransport transport(loop_.loop(), std::make_unique<CountingStream>(writes), {.output = output});
    ASSERT_TRUE(loop_.run(transport.send({request(1)})));
    ASSERT_TRUE(loop_.run(transport.send_batch({request(1), request(2)})));
    EXPECT_EQ(writes.size(), 2u);
  }
}

// Exchanges three messages in each direction; returns how many arrived before the connection broke.
int converse(TestLoop& loop, Transport& transport, ByteStream& peer) {
  int done = 0;
  for (int i = 0; i < 3; ++i) {
    (void)loop.run(peer.write(ping + "\n"));
    const auto received = loop.run(transport.receive());
    if (!received) {
      EXPECT_EQ(received.error().kind, ErrorKind::closed);
      break;
    }
    const auto sent = loop.run(transport.send({request(i)}));
    if (!sent) {
      EXPECT_EQ(sent.error().kind, ErrorKind::closed);
      break;
    }
    ++done;
  }
  return done;
}

TEST_F(FramedTransportTest, EveryCallEndsWithClosedAfterAnIoFailure) {
  for (int good = 0; good < 6; ++good) {
    auto [near, far] = memory_byte_pair(loop_.loop());
    FramedTransport transport(loop_.loop(), std::make_unique<FailingStream>(std::move(near), good));
    EXPECT_EQ(converse(loop_, transport, *far), std::min(good / 2, 3)) << good;
    EXPECT_FALSE(loop_.run(transport.receive()));
    EXPECT_FALSE(loop_.run(transport.send({request(9)})));
  }
}

/// Accepts a few bytes without waiting, and the rest when awaited.
class NarrowStream final : public ByteStream {
 public:
  NarrowStream(std::string& taken, std::size_t buffer) : taken_(taken), room_(buffer) {}

  Task<Result<std::size_t>> read(std::span<char>) override { co_return std::size_t{0}; }
  Task<Result<void>> write(std::string_view bytes) override {
    taken_ += bytes;
    co_return Result<void>();
  }
  std::size_t write_now(std::string_view bytes) override {
    const auto some = bytes.substr(0, std::exchange(room_, 0));
    taken_ += some;
    return some.size();
  }
  void close() noexcept override {}

 private:
  std::string& taken_;
  std::size_t room_;
};

TEST(FramedTransportSend, DoesNotRepeatAPartialWrite) {
  for (const auto framing : {OutputFraming::line, OutputFraming::content_length}) {
    const auto one = framing == OutputFraming::line ? ping + "\n" : counted(ping);
    const auto two = framing == OutputFraming::line ? pong + "\n" : counted(pong);
    for (std::size_t buffer = 0; buffer <= one.size(); ++buffer) {
      TestLoop loop;
      std::string taken;
      FramedTransport transport(loop.loop(), std::make_unique<NarrowStream>(taken, buffer), {.output = framing});
      auto sending = transport.send({request(1)});
      EXPECT_EQ(sending.is_ready(), buffer == one.size());
      EXPECT_EQ(taken, one.substr(0, buffer));
      EXPECT_TRUE(loop.run(std::move(sending)));
      EXPECT_EQ(taken, one);
      std::vector<Outgoing> several;
      several.push_back({request(2)});
      EXPECT_TRUE(loop.run(transport.send_all(std::move(several))));
      EXPECT_EQ(taken, one + two);
      EXPECT_TRUE(loop.run(transport.send({request(2)})));
      EXPECT_EQ(taken, one + two + two);
    }
  }
}

}  // namespace
}  // namespace fairlead::transport::framed_transport_test
