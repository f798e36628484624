#include <fairlead/transport/stdio.hpp>

#include <cstdio>
#include <fairlead/base/descriptor.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <iostream>
#include <unistd.h>

#include "support/messages.hpp"
#include "support/test_loop.hpp"

namespace fairlead::transport::stdio_test {
namespace {

using namespace test;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

/// Replaces the standard streams of this process by pipes.
class StdioTest : public testing::Test {
 protected:
  void SetUp() override {
    std::cout.flush();
    std::fflush(stdout);
    for (int number = 0; number < 3; ++number) saved_[number] = Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, 3));
    to_us_ = replace(STDIN_FILENO, 1);
    from_us_ = replace(STDOUT_FILENO, 0);
    errors_ = replace(STDERR_FILENO, 0);
  }
  void TearDown() override {
    for (int number = 0; number < 3; ++number) ::dup2(saved_[number].get(), number);
  }

  static Descriptor replace(int number, int ours) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    ::dup2(ends[1 - ours], number);
    ::close(ends[1 - ours]);
    return Descriptor(ends[ours]);
  }
  static std::string available(const Descriptor& from) {
    ::fcntl(from.get(), F_SETFL, O_NONBLOCK);
    std::string text(10'000, '\0');
    const auto size = ::read(from.get(), text.data(), text.size());
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }
  void peer_sends(const std::string& bytes) {
    ASSERT_EQ(::write(to_us_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

  TestLoop loop_;
  Descriptor saved_[3], to_us_, from_us_, errors_;
};

TEST_F(StdioTest, S0_01_S3_03_UsesTheStandardStreams) {
  auto transport = stdio_transport(loop_.loop());
  peer_sends(ping + "\n");
  EXPECT_EQ(text(loop_.run(transport->receive())), ping);
  ASSERT_TRUE(loop_.run(transport->send({request(1)})));
  EXPECT_EQ(available(from_us_), ping + "\n");
  to_us_.reset();
  EXPECT_EQ(loop_.run(transport->receive()).error().kind, ErrorKind::closed);
}

TEST_F(StdioTest, S2_06_S3_03_HandlerOutputDoesNotReachThePeer) {
  auto transport = stdio_transport(loop_.loop());
  std::printf("printed\n");
  std::fflush(stdout);
  std::cout << "streamed" << std::endl;
  EXPECT_EQ(::system("echo from a child"), 0);
  std::printf("left in the buffer\n");
  ASSERT_TRUE(loop_.run(transport->send({request(1)})));
  transport.reset();
  std::fflush(stdout);
  EXPECT_EQ(available(from_us_), "Content-Length: 40\r\n\r\n" + ping);
  const auto errors = available(errors_);
  for (const auto* printed : {"printed\n", "streamed\n", "from a child\n", "left in the buffer\n"}) {
    EXPECT_NE(errors.find(printed), std::string::npos) << printed;
  }
}

TEST_F(StdioTest, HandlersReadNothingFromStdin) {
  auto transport = stdio_transport(loop_.loop());
  peer_sends(ping + "\n");
  char byte = 0;
  EXPECT_EQ(::read(STDIN_FILENO, &byte, 1), 0);
  EXPECT_EQ(text(loop_.run(transport->receive())), ping);
}

TEST_F(StdioTest, S1_10_CloseSignalsTheEnd) {
  auto transport = stdio_transport(loop_.loop());
  ASSERT_TRUE(loop_.run(transport->send({request(1)})));
  transport->close();
  transport->close();
  std::printf("after the end\n");
  std::fflush(stdout);
  EXPECT_EQ(available(from_us_), "Content-Length: 40\r\n\r\n" + ping);
  char byte = 0;
  EXPECT_EQ(::read(from_us_.get(), &byte, 1), 0) << "no end of the stream";
  transport.reset();
  EXPECT_NE(available(errors_).find("after the end"), std::string::npos);
}

TEST_F(StdioTest, RestoresTheStreams) {
  const int before = ::fcntl(STDIN_FILENO, F_GETFL);
  stdio_transport(loop_.loop()).reset();
  EXPECT_EQ(::fcntl(STDIN_FILENO, F_GETFL), before);
  peer_sends("x");
  char byte = 0;
  EXPECT_EQ(::read(STDIN_FILENO, &byte, 1), 1);
  EXPECT_EQ(::write(STDOUT_FILENO, "y", 1), 1);
  EXPECT_EQ(available(from_us_), "y");
}

}  // namespace
}  // namespace fairlead::transport::stdio_test
