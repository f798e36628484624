#include <fairlead/transport/framed_transport.hpp>
#include <fairlead/transport/memory.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/messages.hpp"
#include "support/test_loop.hpp"

/// Unusual input after which no message may be lost.
namespace fairlead::transport::unusual_input_test {
namespace {

using namespace test;
using testing::HasSubstr;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

class UnusualInput : public testing::Test {
 protected:
  UnusualInput() { connect({}); }

  void connect(FramedOptions options) {
    auto [near, far] = memory_byte_pair(loop_.loop());
    transport_ = std::make_unique<FramedTransport>(loop_.loop(), std::move(near), std::move(options));
    peer_ = std::move(far);
  }

  void peer_sends(std::string bytes) { ASSERT_TRUE(loop_.run(peer_->write(bytes))); }
  std::string receive() { return text(loop_.run(transport_->receive())); }

  TestLoop loop_;
  std::unique_ptr<FramedTransport> transport_;
  std::unique_ptr<ByteStream> peer_;
};

TEST_F(UnusualInput, ReceivesAMessageWithoutNewlineAfterATimeout) {
  peer_sends(ping);
  EXPECT_EQ(receive(), ping);
}

TEST_F(UnusualInput, RejectsEmbeddedNulAndReadsTheNext) {
  peer_sends(std::string("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\0b\"}\n", 40) + ping + "\n");
  EXPECT_THAT(receive(), HasSubstr("-32700"));
  EXPECT_EQ(receive(), ping);
}

TEST_F(UnusualInput, RejectsByteOrderMarkInTheMiddleAndReadsTheNext) {
  peer_sends(ping + "\n\xEF\xBB\xBF" + ping + "\n" + ping + "\n");
  EXPECT_EQ(receive(), ping);
  EXPECT_THAT(receive(), HasSubstr("-32700"));
  EXPECT_EQ(receive(), ping);
}

TEST_F(UnusualInput, S1_13_S1_14_IgnoresCarriageReturnsAndBlankLines) {
  peer_sends("\r\n\n \t\r\n\r" + ping + "\r\n\r\r\n" + ping + " \r\n");
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(receive(), ping);
}

#ifdef NDEBUG
// One hundred megabytes through deframer and parser.
TEST_F(UnusualInput, S0_24_Receives100Megabytes) {
  const std::string large(100'000'000, 'x');
  const auto bytes = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":")" + large + "\"}}\n" + ping + "\n";
  const auto writing = loop_.start(peer_->write(bytes));
  const auto received = loop_.run(transport_->receive()).value();
  const auto& message = std::get<jsonrpc::Request>(std::get<jsonrpc::Message>(received));
  EXPECT_EQ(message.params.text().size(), large.size() + 8);
  EXPECT_EQ(receive(), ping);
  EXPECT_TRUE(loop_.finish(writing));
}
#endif

}  // namespace
}  // namespace fairlead::transport::unusual_input_test
