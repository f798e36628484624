#include "transport/pipe_reader.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace fairlead::transport {

PipeReader::PipeReader(const boost::asio::any_io_executor& executor, Descriptor descriptor,
                       std::function<void(std::string_view)> on_bytes)
    : native_(executor), on_bytes_(std::move(on_bytes)) {
  ::fcntl(descriptor.get(), F_SETFL, O_NONBLOCK);
  boost::system::error_code error;
  native_.assign(descriptor.get(), error);
  if (!error) descriptor.release();
}

void PipeReader::start() {
  if (!native_.is_open()) return;
  native_.async_wait(native_.wait_read, [weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    if (!self || error) return;
    self->take_available();
    self->start();
  });
}

void PipeReader::finish() {
  take_available();
  close();
}

void PipeReader::stop() {
  on_bytes_ = [](std::string_view) {};
  close();
}

// At most one pipe buffer per turn of the loop.
void PipeReader::take_available() {
  std::array<char, 16 * 1024> buffer;
  for (int round = 0; round < 4 && native_.is_open(); ++round) {
    const auto size = ::read(native_.native_handle(), buffer.data(), buffer.size());
    if (size > 0) {
      // A copy: the callback may call `stop`, which replaces the function.
      const auto on_bytes = on_bytes_;
      on_bytes({buffer.data(), static_cast<std::size_t>(size)});
    } else if (size < 0 && errno == EAGAIN) {
      return;
    } else if (size == 0 || errno != EINTR) {
      close();
    }
  }
}

void PipeReader::close() {
  if (!native_.is_open()) return;
  boost::system::error_code ignored;
  native_.close(ignored);
  const auto on_bytes = on_bytes_;
  on_bytes({});
}

}  // namespace fairlead::transport
