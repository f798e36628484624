#include <fairlead/server/engine.hpp>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <fairlead/server/server.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/stdio.hpp>

#include "base/async_event.hpp"

namespace fairlead::server {
namespace {

/// A byte stream between the transport and the buffers of the engine.
class BufferStream final : public transport::ByteStream {
 public:
  BufferStream(const boost::asio::any_io_executor& executor, std::size_t max_output)
      : max_output_(max_output), filled_(executor), drained_(executor) {}

  void feed(std::string_view bytes) {
    input_ += bytes;
    filled_.notify();
  }
  void finish() {
    finished_ = true;
    filled_.notify();
  }
  std::string take() {
    drained_.notify();
    return std::exchange(output_, {});
  }
  bool has_output() const { return !output_.empty(); }

  Task<Result<std::size_t>> read(std::span<char> buffer) override {
    while (consumed_ == input_.size() && !finished_ && !closed_) co_await filled_.wait();
    if (closed_) co_return fail(ErrorKind::closed, "the stream was closed");
    const std::size_t size = std::min(buffer.size(), input_.size() - consumed_);
    std::copy_n(input_.data() + consumed_, size, buffer.data());
    consumed_ += size;
    if (consumed_ == input_.size()) {
      input_.clear();
      consumed_ = 0;
    }
    co_return size;
  }

  Task<Result<void>> write(std::string_view bytes) override {
    while (!bytes.empty()) {
      while (output_.size() >= max_output_ && !closed_) co_await drained_.wait();
      if (closed_) co_return fail(ErrorKind::closed, "the stream was closed");
      const auto piece = bytes.substr(0, max_output_ - output_.size());
      output_ += piece;
      bytes.remove_prefix(piece.size());
    }
    co_return Result<void>();
  }

  void close() noexcept override {
    closed_ = true;
    filled_.notify();
    drained_.notify();
  }

 private:
  std::size_t max_output_;
  std::string input_;
  std::size_t consumed_ = 0;  // Bytes of `input_` already read.
  std::string output_;
  bool finished_ = false;
  bool closed_ = false;
  AsyncEvent filled_;
  AsyncEvent drained_;
};

session::SessionOptions session_options(const Server& server, const EngineOptions& options) {
  session::SessionOptions chosen;
  chosen.name = server.info().name;
  chosen.principal = options.principal;
  return chosen;
}

}  // namespace

struct EngineState {
  EngineState(Server& server, const EngineOptions& options)
      : loop{io.get_executor(), timers.wheel(), options.log != nullptr ? *options.log : null_log},
        stream(new BufferStream(io.get_executor(), options.max_output)),
        transport(loop, std::unique_ptr<transport::ByteStream>(stream), transport::stdio_options()),
        session(loop, transport, server, session_options(server, options)) {
    async_start(io, session.run(), [this](const std::exception_ptr&, const Result<void>&) { ended = true; });
  }

  void poll() {
    io.restart();
    io.poll();
  }

  NullSink null_log;
  boost::asio::io_context io{1};
  TimerWheelDriver timers{io.get_executor()};
  EventLoop loop;
  BufferStream* stream;  // Owned by `transport`.
  transport::FramedTransport transport;
  session::Session session;
  bool ended = false;
};

Engine::Engine(Server& server, EngineOptions options) : state_(std::make_unique<EngineState>(server, options)) {
  server.check();
  state_->poll();
}

Engine::~Engine() {
  boost::asio::post(state_->io, [this] { state_->session.close(); });
  state_->io.restart();
  while (!state_->ended && state_->io.run_one() > 0) {
  }
}

void Engine::feed(std::string_view bytes) {
  state_->stream->feed(bytes);
  state_->poll();
}

std::string Engine::take_output() {
  auto bytes = state_->stream->take();
  state_->poll();
  return bytes;
}

void Engine::end_input() {
  state_->stream->finish();
  state_->poll();
}

void Engine::poll() {
  state_->poll();
}

void Engine::wait(Duration at_most) {
  const auto until = std::chrono::steady_clock::now() + at_most;
  state_->io.restart();
  while (!state_->stream->has_output() && !state_->ended && state_->io.run_one_until(until) > 0) {
  }
}

bool Engine::ended() const {
  return state_->ended && !state_->stream->has_output();
}

}  // namespace fairlead::server
