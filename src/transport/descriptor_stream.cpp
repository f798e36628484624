#include <fairlead/transport/descriptor_stream.hpp>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <fairlead/base/asio_task.hpp>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include "base/reactor_descriptor.hpp"
#include "base/read_budget.hpp"
#include "transport/nosigpipe_write.hpp"

namespace fairlead::transport {

namespace {

Error closed_error(std::string why) {
  return {.kind = ErrorKind::closed, .message = std::move(why)};
}

Error system_error(int number) {
  if (number == EPIPE) return closed_error("the peer does not read any more");
  return closed_error(std::system_category().message(number));
}

bool must_wait(int number) {
  return number == EAGAIN || number == EWOULDBLOCK;
}

void set_non_blocking(int number) {
  const int flags = ::fcntl(number, F_GETFL);
  if (flags >= 0 && (flags & O_NONBLOCK) == 0) ::fcntl(number, F_SETFL, flags | O_NONBLOCK);
}

}  // namespace

struct DescriptorStreamState {
  DescriptorStreamState(const boost::asio::any_io_executor& on, Descriptor in, Descriptor out)
      : executor(on), input(executor), output(executor), writer(out ? out.get() : in.get()), is_shared(!out) {
    adopt(input, std::move(in));
    if (out) adopt(output, std::move(out));
  }

  static void adopt(ReactorDescriptor& watched, Descriptor descriptor) {
    set_non_blocking(descriptor.get());
    watched.open(std::move(descriptor));
  }

  ReactorDescriptor& out() { return is_shared ? input : output; }

  std::optional<Error> waited(const ReactorDescriptor& watched, bool ready) const {
    if (!watched.is_open()) return closed_error("the stream was closed");
    if (ready || no_more) return std::nullopt;
    return Error{.kind = ErrorKind::cancelled, .message = "cancelled by the caller"};
  }

  // Nothing if no bytes are available.
  std::optional<Result<std::size_t>> read_now(std::span<char> buffer) {
    while (input.is_open()) {
      if (drained && !no_more) return std::nullopt;
      const auto size = ::read(input.get(), buffer.data(), buffer.size());
      if (size >= 0) {
        budget.spend(static_cast<std::size_t>(size));
        drained = size > 0 && static_cast<std::size_t>(size) < buffer.size();
        return static_cast<std::size_t>(size);
      }
      if (errno == EINTR) continue;
      if (!must_wait(errno)) return std::unexpected(system_error(errno));
      if (no_more) return std::size_t{0};
      return std::nullopt;
    }
    return std::unexpected(closed_error("the stream was closed"));
  }
  std::optional<Result<std::size_t>> read_after(bool ready, std::span<char> buffer) {
    if (auto error = waited(input, ready)) return std::unexpected(std::move(*error));
    drained = false;
    budget.renew();
    return read_now(buffer);
  }

  boost::asio::any_io_executor executor;
  ReactorDescriptor input;
  ReactorDescriptor output;
  ReadBudget budget;
  NoSigpipeWriter writer;
  bool is_shared;
  bool drained = false;  // The last read emptied the descriptor.
  bool no_more = false;
};

DescriptorStream::DescriptorStream(EventLoop loop, Descriptor both)
    : state_(std::make_unique<DescriptorStreamState>(loop.executor, std::move(both), Descriptor())) {}

DescriptorStream::DescriptorStream(EventLoop loop, Descriptor input, Descriptor output)
    : state_(std::make_unique<DescriptorStreamState>(loop.executor, std::move(input), std::move(output))) {}

DescriptorStream::~DescriptorStream() = default;

Task<Result<std::size_t>> DescriptorStream::read(std::span<char> buffer) {
  return state_->budget.is_spent() ? read_in_next_turn(buffer) : read_when_ready(buffer);
}

Task<Result<std::size_t>> DescriptorStream::read_in_next_turn(std::span<char> buffer) {
  auto& state = *state_;
  co_await boost::asio::post(state.executor, use_task);
  state.budget.renew();
  co_return co_await read_when_ready(buffer);
}

// Few locals live across the wait: Asio recycles small frames only.
Task<Result<std::size_t>> DescriptorStream::read_when_ready(std::span<char> buffer) {
  auto& state = *state_;
  auto read = state.read_now(buffer);
  while (!read) {
    const bool ready = co_await state.input.readable();
    read = state.read_after(ready, buffer);
  }
  co_return std::move(*read);
}

Task<Result<void>> DescriptorStream::write(std::string_view bytes) {
  auto& state = *state_;
  while (state.out().is_open()) {
    const auto size = state.writer.write(bytes);
    if (size >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(size));
      if (bytes.empty()) co_return Result<void>();
    } else if (must_wait(errno)) {
      const bool ready = co_await state.out().writable();
      if (auto error = state.waited(state.out(), ready)) co_return std::unexpected(std::move(*error));
    } else if (errno != EINTR) {
      co_return std::unexpected(system_error(errno));
    }
  }
  co_return std::unexpected(closed_error("the stream was closed"));
}

std::size_t DescriptorStream::write_now(std::string_view bytes) {
  const auto size = state_->out().is_open() ? state_->writer.write(bytes) : 0;
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

void DescriptorStream::close() noexcept {
  state_->input.close();
  state_->output.close();
}

Descriptor DescriptorStream::release_input() noexcept {
  state_->output.close();
  return Descriptor(state_->input.release());
}

void DescriptorStream::end_input_when_drained() noexcept {
  state_->no_more = true;
  state_->input.cancel();
}

}  // namespace fairlead::transport
