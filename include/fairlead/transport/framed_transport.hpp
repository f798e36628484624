#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/transport/byte_stream.hpp>
#include <fairlead/transport/framing.hpp>
#include <fairlead/transport/transport.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::transport {

enum class InputFraming : std::uint8_t { automatic, line, content_length };
/// `follow_input`: counted until a line has come in, lines for ever after.
enum class OutputFraming : std::uint8_t { follow_input, line, content_length };
enum class LengthMismatch : std::uint8_t { recover, error };
enum class ByteOrderMark : std::uint8_t { strip, refuse };

struct FramedOptions {
  InputFraming input = InputFraming::automatic;
  OutputFraming output = OutputFraming::line;
  std::size_t max_message = 0;  ///< In bytes; 0 means no limit.
  std::size_t max_depth = 128;
  LengthMismatch length_mismatch = LengthMismatch::recover;
  ByteOrderMark byte_order_mark = ByteOrderMark::strip;
  std::string name = "transport";  ///< The component in the log.
  /// Gets the beginning of what could not be read, and tells the log about it instead of whoever receives.
  std::function<void(std::string_view text)> on_unreadable = {};
};

/// Messages over a byte stream, as lines or counted by headers.
class FramedTransport final : public Transport {
 public:
  FramedTransport(Loop loop, std::unique_ptr<ByteStream> stream, FramedOptions options = {});

  Task<Result<Received>> receive() override;
  Task<Result<void>> send(Outgoing outgoing) override;
  bool send_alone(Outgoing& outgoing) override;
  Task<Result<void>> send_all(std::vector<Outgoing> several) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;
  void close() noexcept override;

 private:
  Framing output_framing() const;
  std::optional<Result<Received>> take();
  bool take_in(Result<std::size_t> size);
  Task<Result<std::size_t>> read_some(std::span<char> room);
  std::optional<Received> next();
  std::optional<Received> flush();
  Received read(Frame frame);
  Received unreadable(jsonrpc::Unread reply, std::string_view text);
  void frame(const Outgoing& outgoing);
  void frame(const std::function<void(std::string&)>& write);
  Task<Result<void>> write_framed();
  Task<Result<void>> write_large();
  void release_memory();
  void log_faults();
  void log_frame(const Frame& frame) const;
  void log_received(const Received& received, std::string_view text) const;
  void log_sent(Framing framing, std::string_view text) const;

  Loop loop_;
  std::unique_ptr<ByteStream> stream_;
  FramedOptions options_;
  Deframer deframer_;
  std::optional<Error> ended_;  // Why no more bytes come.
  bool saw_line_ = false;
  bool saw_counted_ = false;
  bool overdue_ = false;  // Undecided bytes have waited long enough.
  bool left_ = false;     // What is framed was given to the stream.
  bool begun_ = false;    // The next message is framed, and a part of it has left perhaps.
  std::string text_;      // Of a message that has to be counted.
  std::string framed_;    // All that goes out in one write. Both are kept for their memory.
};

}  // namespace fairlead::transport
