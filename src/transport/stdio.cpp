#include <fairlead/transport/stdio.hpp>

#include <cstdio>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace fairlead::transport {
namespace {

Descriptor copy_of(int number) {
  // Above the standard three, which may be closed and would be given out again.
  return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, 3));
}

/// Lends a standard descriptor out and puts it back as it was, its blocking mode included.
class Borrowed {
 public:
  explicit Borrowed(int number) : number_(number), original_(copy_of(number)), flags_(::fcntl(number, F_GETFL)) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    if (!original_) return;
    restore_mode();
    ::dup2(original_.get(), number_);
  }

  /// Closes what was lent for good, so that the peer sees the end; the standard descriptor stays away.
  void keep() noexcept {
    restore_mode();
    original_.reset();
  }

  /// Nobody at the other end if the process was started without this one.
  Descriptor lend() const {
    return original_ ? copy_of(original_.get()) : Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
  }

 private:
  // The mode is shared with whoever else has the file open: a terminal's shell would be left with it.
  void restore_mode() const noexcept {
    if (original_ && flags_ >= 0) ::fcntl(original_.get(), F_SETFL, flags_);
  }

  int number_;
  Descriptor original_;
  int flags_;
};

class StandardStreams {
 public:
  StandardStreams() {
    const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    ::dup2(nothing.get(), STDIN_FILENO);
    if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) ::dup2(nothing.get(), STDOUT_FILENO);
  }
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;
  ~StandardStreams() {
    // What a handler printed may still lie in a buffer: out with it before stdout is the peer's again.
    std::cout.flush();
    std::fflush(stdout);
  }

  std::unique_ptr<ByteStream> stream(const Loop& loop) const {
    return std::make_unique<DescriptorStream>(loop, input_.lend(), output_.lend());
  }

  void keep() noexcept {
    input_.keep();
    output_.keep();
  }

 private:
  Borrowed input_{STDIN_FILENO};
  Borrowed output_{STDOUT_FILENO};
};

class StdioTransport final : public Transport {
 public:
  StdioTransport(Loop loop, FramedOptions options) : framed_(loop, streams_.stream(loop), std::move(options)) {}

  Task<Result<Received>> receive() override { return framed_.receive(); }
  Task<Result<void>> send(Outgoing outgoing) override { return framed_.send(std::move(outgoing)); }
  bool send_alone(Outgoing& outgoing) override { return framed_.send_alone(outgoing); }
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

std::unique_ptr<Transport> stdio_transport(Loop loop, FramedOptions options) {
  return std::make_unique<StdioTransport>(std::move(loop), std::move(options));
}

}  // namespace fairlead::transport
