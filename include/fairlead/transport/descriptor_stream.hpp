#pragma once

#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/transport/byte_stream.hpp>
#include <memory>

namespace fairlead::transport {

struct DescriptorStreamState;

/// A byte stream on file descriptors: pipes, sockets, terminals and, for reading, files.
///
/// Puts the descriptors into non-blocking mode. Reads and writes try the system call first and wait only if it would
/// block. A closed peer is reported as `closed`, without SIGPIPE.
class DescriptorStream final : public ByteStream, NonCopyable {
 public:
  /// One descriptor for reading and writing, such as a socket.
  DescriptorStream(EventLoop loop, Descriptor both);
  DescriptorStream(EventLoop loop, Descriptor input, Descriptor output);
  ~DescriptorStream() override;

  Task<Result<std::size_t>> read(std::span<char> buffer) override;
  Task<Result<void>> write(std::string_view bytes) override;
  std::size_t write_now(std::string_view bytes) override;
  void close() noexcept override;

  /// Closes the output and returns the input descriptor, so that the peer can continue to write to it.
  Descriptor release_input() noexcept;

  /// The input ends once the bytes that are available now have been read.
  void end_input_when_drained() noexcept;

 private:
  Task<Result<std::size_t>> read_when_ready(std::span<char> buffer);
  Task<Result<std::size_t>> read_in_next_turn(std::span<char> buffer);

  std::unique_ptr<DescriptorStreamState> state_;
};

}  // namespace fairlead::transport
