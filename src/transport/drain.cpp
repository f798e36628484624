#include "transport/drain.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace fairlead::transport {

Drain::Drain(const boost::asio::any_io_executor& executor, Descriptor descriptor,
             std::function<void(std::string_view)> on_bytes)
    : native_(executor), on_bytes_(std::move(on_bytes)) {
  ::fcntl(descriptor.get(), F_SETFL, O_NONBLOCK);
  boost::system::error_code error;
  native_.assign(descriptor.get(), error);
  if (!error) descriptor.release();
}

void Drain::start() {
  if (!native_.is_open()) return;
  native_.async_wait(native_.wait_read, [weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    if (!self || error) return;
    self->take_available();
    self->start();
  });
}

void Drain::finish() {
  take_available();
  close();
}

void Drain::stop() {
  on_bytes_ = [](std::string_view) {};
  close();
}

// No more at once than a pipe holds: the loop has other work.
void Drain::take_available() {
  std::array<char, 16 * 1024> buffer;
  for (int round = 0; round < 4 && native_.is_open(); ++round) {
    const auto size = ::read(native_.native_handle(), buffer.data(), buffer.size());
    if (size > 0) {
      // A copy: whoever is told may stop this, which replaces the function.
      const auto tell = on_bytes_;
      tell({buffer.data(), static_cast<std::size_t>(size)});
    } else if (size < 0 && errno == EAGAIN) {
      return;
    } else if (size == 0 || errno != EINTR) {
      close();
    }
  }
}

void Drain::close() {
  if (!native_.is_open()) return;
  boost::system::error_code ignored;
  native_.close(ignored);
  const auto tell = on_bytes_;
  tell({});
}

}  // namespace fairlead::transport
