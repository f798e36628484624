#pragma once

#include <boost/asio/use_future.hpp>
#include <cstdio>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/transport/child.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fairlead/transport/memory.hpp>
#include <fairlead/transport/socket.hpp>
#include <fairlead/transport/stdio.hpp>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "integration/scripted_session.hpp"

/// Connected pairs of each transport.
namespace fairlead::test {

using transport::Transport;

/// `server` is null if it is in another process. `kept` is destroyed after both.
struct TransportPair {
  std::shared_ptr<void> kept = {};
  std::unique_ptr<Transport> client = {};
  std::unique_ptr<Transport> server = {};
};

template <class T>
T wait_for(SessionLoop& loop, Task<T> task) {
  auto future = async_start(loop.io, std::move(task), boost::asio::use_future);
  loop.io.restart();
  while (future.wait_for(std::chrono::seconds{0}) != std::future_status::ready) loop.io.run_one();
  return future.get();
}

inline TransportPair over_memory(SessionLoop& loop) {
  auto [client, server] = transport::memory_pair(loop.loop());
  return {.client = std::move(client), .server = std::move(server)};
}

inline TransportPair over_memory_bytes(SessionLoop& loop) {
  auto [client, server] = transport::memory_byte_pair(loop.loop(), {.capacity = 100, .chunk = 7});
  return {.client = std::make_unique<transport::FramedTransport>(loop.loop(), std::move(client)),
          .server = std::make_unique<transport::FramedTransport>(loop.loop(), std::move(server))};
}

inline TransportPair over_listener(SessionLoop& loop, transport::SocketListener& listener,
                                   std::unique_ptr<Transport> client) {
  return {.client = std::move(client), .server = wait_for(loop, listener.accept()).value()};
}

inline TransportPair over_tcp(SessionLoop& loop) {
  auto listener = transport::SocketListener::on_tcp(loop.loop(), 0).value();
  auto client = wait_for(loop, transport::connect_tcp(loop.loop(), "127.0.0.1", listener->port())).value();
  return over_listener(loop, *listener, std::move(client));
}

inline TransportPair over_unix(SessionLoop& loop) {
  std::string folder = (std::filesystem::temp_directory_path() / "fairlead_XXXXXX").string();
  EXPECT_NE(::mkdtemp(folder.data()), nullptr);
  auto listener = transport::SocketListener::on_unix(loop.loop(), folder + "/socket").value();
  auto client = wait_for(loop, transport::connect_unix(loop.loop(), folder + "/socket")).value();
  auto ends = over_listener(loop, *listener, std::move(client));
  listener.reset();
  std::filesystem::remove(folder);
  return ends;
}

/// Replaces a standard descriptor by a pipe during its lifetime.
class StandardPipe {
 public:
  StandardPipe(int number, int ours) : number_(number), saved_(::fcntl(number, F_DUPFD_CLOEXEC, 3)) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    other_ = Descriptor(ends[ours]);
    ::dup2(ends[1 - ours], number);
    ::close(ends[1 - ours]);
  }
  StandardPipe(const StandardPipe&) = delete;
  StandardPipe& operator=(const StandardPipe&) = delete;
  ~StandardPipe() { ::dup2(saved_.get(), number_); }

  Descriptor other() { return std::move(other_); }

 private:
  int number_;
  Descriptor saved_;
  Descriptor other_;
};

inline TransportPair over_stdio(SessionLoop& loop) {
  std::fflush(stdout);
  struct Pipes {
    StandardPipe input{STDIN_FILENO, 1};
    StandardPipe output{STDOUT_FILENO, 0};
  };
  auto pipes = std::make_shared<Pipes>();
  auto stream = std::make_unique<transport::DescriptorStream>(loop.loop(), pipes->output.other(), pipes->input.other());
  auto client = std::make_unique<transport::FramedTransport>(loop.loop(), std::move(stream));
  auto server = transport::stdio_transport(loop.loop());
  return {.kept = std::move(pipes), .client = std::move(client), .server = std::move(server)};
}

inline TransportPair over_child(SessionLoop& loop) {
  transport::ChildOptions options;
  options.command = {FAIRLEAD_FIXTURE_SERVER, "dialogue"};
  options.exit_timeout = std::chrono::milliseconds{20};
  return {.client = transport::ChildTransport::start(loop.loop(), std::move(options)).value()};
}

struct TransportCase {
  const char* name;
  TransportPair (*connect)(SessionLoop&);
};
inline constexpr TransportCase every_transport[] = {
    {"memory", over_memory},    {"memory bytes", over_memory_bytes},
    {"Unix socket", over_unix}, {"TCP", over_tcp},
    {"stdio", over_stdio},      {"child", over_child},
};

}  // namespace fairlead::test
