#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/transport/byte_stream.hpp>
#include <fairlead/transport/descriptor.hpp>
#include <memory>

namespace fairlead::transport {

/// A byte stream on file descriptors: pipes, sockets, terminals, and for reading also files and the like.
///
/// Puts them into non-blocking mode. Reading and writing go to the system at once and wait only when they must. A peer
/// that is gone is `closed`, never a SIGPIPE.
class DescriptorStream final : public ByteStream {
 public:
  /// One descriptor for both ways, such as a socket.
  DescriptorStream(Loop loop, Descriptor both);
  DescriptorStream(Loop loop, Descriptor input, Descriptor output);
  DescriptorStream(const DescriptorStream&) = delete;
  DescriptorStream& operator=(const DescriptorStream&) = delete;
  ~DescriptorStream() override;

  Task<Result<std::size_t>> read(std::span<char> buffer) override;
  Task<Result<void>> write(std::string_view bytes) override;
  std::size_t write_now(std::string_view bytes) override;
  void close() noexcept override;

  /// Like `close`, but the input is handed back instead, for the peer to go on writing to it.
  Descriptor give_up() noexcept;

  /// From now on the input ends where the bytes end that are there already.
  void expect_no_more() noexcept;

 private:
  struct State;
  Task<Result<std::size_t>> read_when_ready(std::span<char> buffer);
  Task<Result<std::size_t>> read_in_next_turn(std::span<char> buffer);

  std::unique_ptr<State> state_;
};

}  // namespace fairlead::transport
