#include <fairlead/server.hpp>
#include <fairlead/session/service_session_factory.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <fairlead/transport/websocket_server.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/memory_stream.hpp"
#include "http/websocket_connection.hpp"
#include "integration/sample_tools.hpp"
#include "support/fake_exchange.hpp"
#include "support/test_loop.hpp"

/// A client that sends requests and never reads: the server must stop reading. Counted in bytes.
namespace fairlead::test::slow_reader_test {
namespace {

constexpr std::size_t much = std::size_t{64} * 1024 * 1024;
// Upper limit: the send queue, parts of which may be held twice, and the socket buffers.
constexpr std::size_t enough = std::size_t{8} * 1024 * 1024;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

class SlowReaderTest : public testing::Test {
 protected:
  SlowReaderTest() { add_sample_tools(app_); }

  TestLoop loop_;
  Server app_{"never read", "1"};
  session::ServiceSessionFactory host_{app_};
};

Task<bool> run(transport::ServerSession& hosted) {
  co_await hosted.run();
  co_return true;
}

TEST_F(SlowReaderTest, Finding_S7_SocketServerStopsReading) {
  for (const auto& line : {ping + "\n", std::string("{\n")}) {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    Descriptor far(ends[0]);
    ::fcntl(far.get(), F_SETFL, O_NONBLOCK);
    transport::FramedTransport wire(loop_.loop(),
                                    std::make_unique<transport::DescriptorStream>(loop_.loop(), Descriptor(ends[1])));
    const auto hosted = host_.open(loop_.loop(), wire, {});
    const auto running = loop_.start(run(*hosted));
    std::string lines;
    while (lines.size() < 64 * 1024) lines += line;
    std::size_t taken = 0;
    for (bool moved = true; moved && taken < much;) {
      const auto size = ::write(far.get(), lines.data(), lines.size());
      moved = size > 0;
      // A partial line is just one more invalid message.
      if (moved) taken += static_cast<std::size_t>(size);
      loop_.poll();
    }
    EXPECT_LT(taken, enough) << line;
    far.reset();
    loop_.finish(running);
  }
}

/// A masked frame of a client.
std::string frame(http::Opcode opcode, std::string_view payload) {
  std::string out;
  http::write_frame(out, opcode, payload, http::MaskKey{1, 2, 3, 4});
  return out;
}

TEST_F(SlowReaderTest, Finding_S7_WebSocketServerStopsReading) {
  for (const auto& each : {frame(http::Opcode::text, ping), frame(http::Opcode::text, "{")}) {
    MemoryStreams wire(loop_.loop());
    wire.near->out().capacity = 1000;
    auto socket = http::make_websocket(loop_.loop(), *wire.near, "", false, "mcp", {});
    auto exchange = std::make_shared<FakeExchange>(loop_.loop(), "GET", "/ws");
    exchange->accept_upgrade(std::move(socket));
    transport::WebSocketServer server(host_);
    const auto running = loop_.start(serve(server, *exchange));
    std::string frames;
    while (frames.size() < 64 * 1024) frames += each;
    std::size_t taken = 0;
    while (taken < much) {
      wire.near->in().bytes += frames;
      wire.near->in().changed.notify();
      loop_.poll();
      if (wire.near->in().bytes.size() >= frames.size()) break;
      taken += frames.size();
    }
    EXPECT_LT(taken, enough);
    wire.far->close();
    loop_.finish(running);
  }
}

}  // namespace
}  // namespace fairlead::test::slow_reader_test
