#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <fairlead/transport/memory.hpp>
#include <fairlead/transport/stdio.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace fairlead::test {

/// A server session on a loop and a clock driven by the test: bytes in, bytes out.
class BytesServer {
 public:
  /// `chunk` limits the size of one read; 0 for no limit.
  explicit BytesServer(session::Service& app, std::size_t chunk = 0) {
    auto [near, far] = transport::memory_byte_pair(loop(), {.capacity = 1 << 22, .chunk = chunk});
    client_ = std::move(near);
    wire_ = std::make_unique<transport::FramedTransport>(loop(), std::move(far), transport::stdio_options());
    session_.emplace(loop(), *wire_, app);
    async_start(io_, session_->run(), [this](const std::exception_ptr&, const Result<void>&) { over_ = true; });
    read_on();
  }
  BytesServer(const BytesServer&) = delete;
  BytesServer& operator=(const BytesServer&) = delete;
  ~BytesServer() { disconnect(); }

  /// Sends bytes to the server and advances the clock by a second.
  void send(std::string bytes) {
    async_start(io_, write(*client_, std::move(bytes)), [](const std::exception_ptr&) {});
    settle();
    pass(std::chrono::seconds{1});
  }

  /// Everything the server has sent.
  const std::string& output() const { return output_; }
  bool over() const { return over_; }

  /// Closes the input; false if the session does not end.
  bool disconnect() {
    client_->close();
    for (int hour = 0; hour < 3 && !over_; ++hour) pass(std::chrono::hours{1});
    return over_;
  }

 private:
  EventLoop loop() { return {io_.get_executor(), timers_, log_}; }
  static Task<void> write(transport::ByteStream& client, std::string bytes) { co_await client.write(bytes); }
  static Task<Result<std::size_t>> read(transport::ByteStream& client, std::string& buffer) {
    co_return co_await client.read(buffer);
  }
  void read_on() {
    auto took = [this](const std::exception_ptr& thrown, Result<std::size_t> size) {
      if (thrown || !size || *size == 0) return;
      output_.append(buffer_, 0, *size);
      read_on();
    };
    async_start(io_, read(*client_, buffer_), std::move(took));
  }
  void settle() {
    io_.restart();
    io_.poll();
  }
  void pass(Duration time) {
    clock_.advance(time);
    boost::asio::post(io_, [this] { timers_.advance(); });
    settle();
  }

  boost::asio::io_context io_{1};
  ManualClock clock_;
  TimerWheel timers_{clock_};
  CapturingSink log_;
  std::unique_ptr<transport::ByteStream> client_;
  std::unique_ptr<transport::Transport> wire_;
  std::optional<session::Session> session_;
  std::string buffer_ = std::string(65536, '\0');
  std::string output_;
  bool over_ = false;
};

}  // namespace fairlead::test
