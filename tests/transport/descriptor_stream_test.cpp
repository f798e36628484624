#include <fairlead/transport/descriptor_stream.hpp>

#include <boost/asio/post.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "base/read_budget.hpp"
#include "support/test_loop.hpp"

namespace fairlead::transport::descriptor_stream_test {
namespace {

using namespace test;

class DescriptorStreamTest : public testing::Test {
 protected:
  struct Ends {
    Descriptor first, second;
  };
  static Ends make_pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    return {Descriptor(ends[0]), Descriptor(ends[1])};
  }
  static Ends make_socketpair() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    return {Descriptor(ends[0]), Descriptor(ends[1])};
  }
  static std::string read_all(int number, std::size_t size) {
    std::string text(size, '\0');
    std::size_t got = 0;
    while (got < size) {
      const auto part = ::read(number, text.data() + got, size - got);
      if (part <= 0) break;
      got += static_cast<std::size_t>(part);
    }
    text.resize(got);
    return text;
  }

  Result<std::size_t> read(DescriptorStream& stream) { return loop_.run(stream.read(buffer_)); }

  TestLoop loop_;
  std::array<char, 1024> buffer_ = {};
};

TEST_F(DescriptorStreamTest, ReadsAvailableBytesAndTheEnd) {
  auto pipe = make_pipe();
  DescriptorStream stream(loop_.loop(), std::move(pipe.first), Descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC)));
  ASSERT_EQ(::write(pipe.second.get(), "hello", 5), 5);
  EXPECT_EQ(read(stream), 5u);
  const auto pending = loop_.start(stream.read(buffer_));
  loop_.poll();
  EXPECT_FALSE(pending.done());
  pipe.second.reset();
  EXPECT_EQ(loop_.finish(pending), 0u);
}

TEST_F(DescriptorStreamTest, ReadsFilesAndDevNull) {
  for (const auto* path : {"/dev/null", "/proc/self/stat", __FILE__}) {
    DescriptorStream stream(loop_.loop(), Descriptor(::open(path, O_RDONLY | O_CLOEXEC)));
    Result<std::size_t> size = 1;
    for (int reads = 0; size && *size > 0 && reads < 1000; ++reads) size = read(stream);
    EXPECT_EQ(size, 0u) << path;
  }
}

TEST_F(DescriptorStreamTest, S0_23_AWriteWaitsForAReaderAndResumes) {
  auto pipe = make_pipe();
  DescriptorStream stream(loop_.loop(), Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)), std::move(pipe.second));
  const std::string large(1'000'000, 'x');
  const auto pending = loop_.start(stream.write(large));
  loop_.poll();
  EXPECT_FALSE(pending.done());
  std::string got;
  while (!pending.done()) {
    got += read_all(pipe.first.get(), 4096);
    loop_.poll();
  }
  EXPECT_TRUE(pending.get());
  got += read_all(pipe.first.get(), large.size() - got.size());
  EXPECT_EQ(got, large);
}

TEST_F(DescriptorStreamTest, ClosingEndsAReadAndAWrite) {
  auto sockets = make_socketpair();
  DescriptorStream stream(loop_.loop(), std::move(sockets.first));
  const std::string large(10'000'000, 'x');
  const auto reading = loop_.start(stream.read(buffer_));
  const auto writing = loop_.start(stream.write(large));
  loop_.poll();
  stream.close();
  stream.close();
  EXPECT_EQ(loop_.finish(reading).error().kind, ErrorKind::closed);
  EXPECT_EQ(loop_.finish(writing).error().kind, ErrorKind::closed);
  EXPECT_EQ(read(stream).error().kind, ErrorKind::closed);
}

TEST_F(DescriptorStreamTest, S1_17_BrokenPipeIsClosedWithoutSignal) {
  struct sigaction fatal = {}, before = {};
  fatal.sa_handler = SIG_DFL;
  ::sigaction(SIGPIPE, &fatal, &before);
  for (auto ends : {make_pipe, make_socketpair}) {
    auto pair = ends();
    DescriptorStream stream(loop_.loop(), Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
                            std::move(pair.second));
    pair.first.reset();
    const auto written = loop_.run(stream.write("hello"));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::closed);
  }
  ::sigaction(SIGPIPE, &before, nullptr);
}

TEST_F(DescriptorStreamTest, EndsInputWhenDrained) {
  auto pipe = make_pipe();
  DescriptorStream stream(loop_.loop(), std::move(pipe.first), Descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC)));
  const auto pending = loop_.start(stream.read(buffer_));
  loop_.poll();
  ASSERT_EQ(::write(pipe.second.get(), "last", 4), 4);
  stream.end_input_when_drained();
  EXPECT_EQ(loop_.finish(pending), 4u);
  EXPECT_EQ(read(stream), 0u);
}

TEST_F(DescriptorStreamTest, WriteNowWritesWhatFits) {
  auto pipe = make_pipe();
  const auto capacity = static_cast<std::size_t>(::fcntl(pipe.second.get(), F_GETPIPE_SZ));
  DescriptorStream stream(loop_.loop(), Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)), std::move(pipe.second));
  EXPECT_EQ(stream.write_now("hello"), 5u);
  const std::string large(2 * capacity, 'x');
  const auto taken = stream.write_now(large);
  EXPECT_GT(taken, 0u);
  EXPECT_LT(taken, large.size());
  EXPECT_EQ(stream.write_now(large), 0u);
  EXPECT_EQ(read_all(pipe.first.get(), 5 + taken), "hello" + large.substr(0, taken));
  pipe.first.reset();
  EXPECT_EQ(stream.write_now("not read"), 0u);
  stream.close();
  EXPECT_EQ(stream.write_now("closed"), 0u);
}

Task<bool> read_much(DescriptorStream& stream, std::size_t& total) {
  constexpr std::size_t limit = std::size_t{8} * 1024 * 1024;
  std::string buffer(std::size_t{64} * 1024, 0);
  while (total < limit) total += (co_await stream.read(buffer)).value();
  co_return true;
}

TEST_F(DescriptorStreamTest, Finding_S3_EndlessInputDoesNotStarveOtherTasks) {
  DescriptorStream stream(loop_.loop(), Descriptor(::open("/dev/zero", O_RDWR | O_CLOEXEC)));
  std::size_t total = 0;
  std::optional<std::size_t> seen;
  const auto reading = loop_.start(read_much(stream, total));
  boost::asio::post(loop_.context(), [&] { seen = total; });
  loop_.run_until([&] { return seen.has_value(); });
  EXPECT_LE(*seen, 2 * ReadBudget::bytes_per_turn);
  EXPECT_TRUE(loop_.finish(reading));
}

}  // namespace
}  // namespace fairlead::transport::descriptor_stream_test
