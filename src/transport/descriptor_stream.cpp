#include <fairlead/transport/descriptor_stream.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <unistd.h>

#include "transport/quiet_write.hpp"

namespace fairlead::transport {
namespace asio = boost::asio;

namespace {

using Native = asio::posix::stream_descriptor;

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

struct DescriptorStream::State {
  State(const asio::any_io_executor& executor, Descriptor in, Descriptor out)
      : input(executor), output(executor), writer(out ? out.get() : in.get()), is_shared(!out) {
    adopt(input, std::move(in));
    if (out) adopt(output, std::move(out));
  }

  void adopt(Native& native, Descriptor descriptor) {
    set_non_blocking(descriptor.get());
    boost::system::error_code error;
    native.assign(descriptor.get(), error);
    // On failure the loop has no room for another descriptor, and the stream counts as closed.
    if (!error) descriptor.release();
  }

  Native& out() { return is_shared ? input : output; }

  Task<std::optional<Error>> wait(Native& native, asio::posix::descriptor_base::wait_type what) {
    const auto [error] = co_await native.async_wait(what, asio::as_tuple(asio::use_awaitable));
    if (!native.is_open()) co_return closed_error("the stream was closed");
    // Files and some devices cannot be waited for; they never make anybody wait either.
    if (!error || no_more || error == asio::error::operation_not_supported) co_return std::nullopt;
    if (error == asio::error::operation_aborted) {
      co_return Error{.kind = ErrorKind::cancelled, .message = "cancelled by the caller"};
    }
    co_return system_error(error.value());
  }

  Native input;
  Native output;
  QuietWriter writer;
  bool is_shared;
  bool drained = false;  // The last read took all there was, so the next one has to wait.
  bool no_more = false;
};

DescriptorStream::DescriptorStream(Loop loop, Descriptor both)
    : state_(std::make_unique<State>(loop.executor, std::move(both), Descriptor())) {}

DescriptorStream::DescriptorStream(Loop loop, Descriptor input, Descriptor output)
    : state_(std::make_unique<State>(loop.executor, std::move(input), std::move(output))) {}

DescriptorStream::~DescriptorStream() = default;

Task<Result<std::size_t>> DescriptorStream::read(std::span<char> buffer) {
  auto& state = *state_;
  while (state.input.is_open()) {
    if (!state.drained || state.no_more) {
      const auto size = ::read(state.input.native_handle(), buffer.data(), buffer.size());
      if (size >= 0) {
        state.drained = size > 0 && static_cast<std::size_t>(size) < buffer.size();
        co_return static_cast<std::size_t>(size);
      }
      if (errno == EINTR) continue;
      if (!must_wait(errno)) co_return std::unexpected(system_error(errno));
      if (state.no_more) co_return std::size_t{0};
    }
    if (auto error = co_await state.wait(state.input, Native::wait_read)) co_return std::unexpected(std::move(*error));
    state.drained = false;
  }
  co_return std::unexpected(closed_error("the stream was closed"));
}

Task<Result<void>> DescriptorStream::write(std::string_view bytes) {
  auto& state = *state_;
  while (state.out().is_open()) {
    const auto size = state.writer.write(bytes);
    if (size >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(size));
      if (bytes.empty()) co_return Result<void>();
    } else if (must_wait(errno)) {
      if (auto error = co_await state.wait(state.out(), Native::wait_write))
        co_return std::unexpected(std::move(*error));
    } else if (errno != EINTR) {
      co_return std::unexpected(system_error(errno));
    }
  }
  co_return std::unexpected(closed_error("the stream was closed"));
}

void DescriptorStream::close() noexcept {
  boost::system::error_code ignored;
  state_->input.close(ignored);
  state_->output.close(ignored);
}

Descriptor DescriptorStream::give_up() noexcept {
  boost::system::error_code ignored;
  state_->output.close(ignored);
  return state_->input.is_open() ? Descriptor(state_->input.release()) : Descriptor();
}

void DescriptorStream::expect_no_more() noexcept {
  state_->no_more = true;
  boost::system::error_code ignored;
  state_->input.cancel(ignored);
}

}  // namespace fairlead::transport
