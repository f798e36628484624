// A server on your own Asio event loop: the session is one of your coroutines.
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <fairlead/server.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <iostream>
#include <sys/socket.h>
#include <unistd.h>

namespace asio = boost::asio;
using namespace fairlead;

int main() {
  Server app{"demo", "1.0"};
  app.tool("add", "Add two integers", [](Arg<"a", int> a, Arg<"b", int> b) { return a + b; });

  asio::io_context io;  // Yours, with other work on it. Run it on one thread.
  asio::steady_timer yours(io, std::chrono::milliseconds{1});
  yours.async_wait([](auto) { std::cout << "your own timer\n"; });

  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  NullSink log;
  TimerWheelDriver timers(io.get_executor());
  const EventLoop loop{io.get_executor(), timers.wheel(), log};
  auto stream = std::make_unique<transport::DescriptorStream>(loop, Descriptor(ends[0]));
  transport::FramedTransport transport(loop, std::move(stream));
  session::Session session(loop, transport, app);
  bool good = false;
  async_start(io, session.run(), [&](std::exception_ptr, Result<void> ended) { good = ended.has_value(); });

  const Descriptor client(ends[1]);
  const std::string_view line =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}})"
      "\n";
  if (::write(client.get(), line.data(), line.size()) < 0) return 1;
  ::shutdown(client.get(), SHUT_WR);
  io.run();

  char answer[256] = {};
  if (::read(client.get(), answer, sizeof answer - 1) <= 0) return 1;
  std::cout << answer;
  return good && std::string_view(answer).find(R"("text":"3")") != std::string_view::npos ? 0 : 1;
}
