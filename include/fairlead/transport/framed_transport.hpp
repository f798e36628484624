#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/transport/byte_stream.hpp>
#include <fairlead/transport/framing.hpp>
#include <fairlead/transport/transport.hpp>
#include <functional>
#include <memory>

namespace fairlead::transport {

enum class InputFraming : std::uint8_t { automatic, line, content_length };
/// `follow_input`: Content-Length headers until a line was received, then lines.
enum class OutputFraming : std::uint8_t { follow_input, line, content_length };
enum class LengthMismatch : std::uint8_t { recover, error };
enum class ByteOrderMark : std::uint8_t { strip, refuse };

struct FramedOptions {
  InputFraming input = InputFraming::automatic;
  OutputFraming output = OutputFraming::line;
  /// In bytes; 0 means no limit. A longer request is answered with an error, a longer response fails its call.
  std::size_t max_message = 0;
  std::size_t max_depth = 128;
  LengthMismatch length_mismatch = LengthMismatch::recover;
  ByteOrderMark byte_order_mark = ByteOrderMark::strip;
  std::string name = "transport";  ///< Component name in the log.
  /// Receives the beginning of an invalid message, which is then logged and not returned by `receive`.
  std::function<void(std::string_view text)> on_invalid_message = {};
};

/// JSON-RPC messages over a byte stream, as lines or with Content-Length headers.
class FramedTransport final : public Transport {
 public:
  FramedTransport(EventLoop loop, std::unique_ptr<ByteStream> stream, FramedOptions options = {});

  Task<Result<Received>> receive() override;
  Task<Result<void>> send(Outgoing outgoing) override;
  bool coalesces_writes() const override { return true; }
  Task<Result<void>> send_all(std::vector<Outgoing> several) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;
  void close() noexcept override;

 private:
  Framing output_framing() const;
  /// Nothing while more bytes are needed.
  using Next = std::optional<Result<Received>>;
  Next next_or_end();
  bool on_read(Result<std::size_t> size);
  Task<Result<std::size_t>> read_some(std::span<char> room);
  Next next();
  Next flush();
  void read(Frame frame, Next& received);
  Received unreadable(jsonrpc::ReadError reply, std::string_view text);
  void frame(const Outgoing& outgoing);
  void frame(const std::function<void(std::string&)>& write);
  Task<Result<void>> write_framed();
  Task<Result<void>> write_rest(std::size_t written);
  void release_memory();
  void log_repairs();
  void log_frame(const Frame& frame) const;
  void log_received(const Received& received, std::string_view text) const;
  void log_sent(Framing framing, std::string_view text) const;

  EventLoop loop_;
  std::unique_ptr<ByteStream> stream_;
  FramedOptions options_;
  Deframer deframer_;
  std::optional<Error> ended_;  // Why reading ended.
  bool saw_line_ = false;
  bool saw_counted_ = false;
  bool overdue_ = false;  // Undecided bytes have waited for the flush timeout.
  std::string text_;      // Text of a message that needs a Content-Length.
  std::string framed_;    // Bytes of the next write. Both buffers are members to reuse their memory.
};

}  // namespace fairlead::transport
