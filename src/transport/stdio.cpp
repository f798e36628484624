#include <fairlead/transport/stdio.hpp>

#include <cstdio>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace fairlead::transport {
namespace {

Descriptor copy_of(int number) {
  // Above 0 to 2, which may be closed and would be reused.
  return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, 3));
}

/// Takes over a standard descriptor and restores it, including its blocking mode.
class StdioGuard : NonCopyable {
 public:
  explicit StdioGuard(int number) : number_(number), original_(copy_of(number)), flags_(::fcntl(number, F_GETFL)) {}
  ~StdioGuard() {
    if (!original_) return;
    restore_mode();
    ::dup2(original_.get(), number_);
  }

  /// Closes the descriptor for good, so that the peer sees the end; it is not restored.
  void keep() noexcept {
    restore_mode();
    original_.reset();
  }

  /// Missing if the process was started without this descriptor.
  Descriptor lend() const {
    return original_ ? copy_of(original_.get()) : Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
  }

 private:
  // The blocking mode is shared with other processes that have the file open, such as the shell of a terminal.
  void restore_mode() const noexcept {
    if (original_ && flags_ >= 0) ::fcntl(original_.get(), F_SETFL, flags_);
  }

  int number_;
  Descriptor original_;
  int flags_;
};

class StandardStreams : NonCopyable {
 public:
  StandardStreams() {
    const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    ::dup2(nothing.get(), STDIN_FILENO);
    if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) ::dup2(nothing.get(), STDOUT_FILENO);
  }
  ~StandardStreams() {
    // Flush output of handlers before stdout is connected to the peer again.
    std::cout.flush();
    std::fflush(stdout);
  }

  std::unique_ptr<ByteStream> stream(const EventLoop& loop) const {
    return std::make_unique<DescriptorStream>(loop, input_.lend(), output_.lend());
  }

  void keep() noexcept {
    input_.keep();
    output_.keep();
  }

 private:
  StdioGuard input_{STDIN_FILENO};
  StdioGuard output_{STDOUT_FILENO};
};

class StdioTransport final : public Transport {
 public:
  StdioTransport(EventLoop loop, FramedOptions options) : framed_(loop, streams_.stream(loop), std::move(options)) {}

  Task<Result<Received>> receive() override { return framed_.receive(); }
  Task<Result<void>> send(Outgoing outgoing) override { return framed_.send(std::move(outgoing)); }
  bool coalesces_writes() const override { return true; }
  Task<Result<void>> send_all(std::vector<Outgoing> several) override { return framed_.send_all(std::move(several)); }
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override {
    return framed_.send_batch(std::move(messages));
  }
  void close() noexcept override {
    framed_.close();
    streams_.keep();
  }

 private:
  StandardStreams streams_;
  FramedTransport framed_;
};

}  // namespace

FramedOptions stdio_options() {
  return {.output = OutputFraming::follow_input, .name = "stdio"};
}

std::unique_ptr<Transport> stdio_transport(EventLoop loop, FramedOptions options) {
  return std::make_unique<StdioTransport>(std::move(loop), std::move(options));
}

}  // namespace fairlead::transport
