#pragma once

#include <fairlead/transport/json_boundary_scanner.hpp>
#include <optional>
#include <span>
#include <vector>

namespace fairlead::transport {

/// How messages are delimited: by a newline, or by a Content-Length header.
enum class Framing : std::uint8_t { line, content_length };

/// The text of one message, before it is parsed.
struct Frame {
  std::string text;
  Framing framing = Framing::line;
  std::optional<std::size_t> declared = {};  ///< Value of Content-Length.
  std::size_t header_size = 0;               ///< Size of the header, including the empty line.
  bool had_bom = false;                      ///< A byte-order mark was removed.
  bool too_long = false;                     ///< Exceeded the size limit; the rest was dropped.

  bool operator==(const Frame&) const = default;
};

/// A framing error that the deframer corrected.
struct FramingRepair {
  enum class Kind : std::uint8_t { length_mismatch, missing_empty_line, bad_header, byte_order_mark };

  Kind kind = Kind::length_mismatch;
  std::size_t declared = 0;  ///< For `length_mismatch`: the declared size.
  std::size_t actual = 0;    ///< The actual size.

  std::string message() const;
  bool operator==(const FramingRepair&) const = default;
};

/// Appends the text of one message to `out` with the given framing.
void append_frame(std::string& out, std::string_view text, Framing framing);

struct DeframerOptions {
  std::size_t max_message = 0;  ///< 0 means no limit.
  bool headers = true;          ///< Recognize Content-Length headers. False: every line is a message.
  bool trust_counts = false;    ///< Trust Content-Length even if it does not match the JSON value.
};

/// Splits a byte stream into messages. Feed bytes in pieces of any size, take frames out.
///
/// Framing is detected per message: one that starts with a header has a declared length, any other ends with its line.
/// A wrong length is corrected, because the end of a JSON value can be found without it; recognizable messages are not
/// lost. Runs in time linear in the input; the result does not depend on how the bytes were split.
class Deframer {
 public:
  explicit Deframer(DeframerOptions options = {}) : options_(options) {}

  void feed(std::string_view bytes);

  /// Returns a buffer to read into; `commit` reports how much was filled. Invalid after any other call.
  std::span<char> prepare(std::size_t size);
  void commit(std::size_t size) { end_ += size; }

  /// Returns the next complete message; nothing until more bytes are fed.
  std::optional<Frame> next();

  /// True if the buffered bytes may be a message with a wrong length, or a broken one. If no more bytes arrive for a
  /// while, call `flush`.
  bool undecided() const;

  /// Resolves undecided bytes and returns the resulting frame, if any; `next` may return more. After the end of the
  /// stream, call both until `idle`.
  std::optional<Frame> flush();
  bool idle() const { return state_ == DeframeState::between && begin_ == end_ && padding_ == 0 && !ready_; }

  /// Returns the corrections since the last call.
  std::vector<FramingRepair> take_repairs();

 private:
  enum class DeframeState : std::uint8_t { between, line, dropped_line, header, body };

  std::string_view rest() const { return std::string_view(buffer_).substr(begin_, end_ - begin_); }
  void drop(std::size_t size) { begin_ += size; }
  std::string consume(std::size_t size);
  void emit(std::size_t size, Framing framing, bool too_long = false);
  void emit_line(std::size_t size);
  void enter(DeframeState state);

  bool step();
  bool start();
  bool skip_mark();
  bool skip_padding();
  bool read_line();
  bool may_be_whole_line() const;
  bool drop_line();
  bool read_header();
  bool read_header_line(std::string_view line, std::size_t begin);
  bool overlong_header();
  bool enter_body(std::size_t header_size);
  bool read_body();
  bool read_trusted_body();
  bool open_value();
  bool walk_value();
  bool search_header();
  bool value_closed();
  bool over_limit();
  void note_line_starts();
  bool end_broken();
  bool holds_whole_line();
  bool body_as_counted();
  bool end_body(std::size_t size);
  bool forget_scanned();
  std::size_t count() const { return *count_; }
  std::size_t position() const { return dropped_ + scanned_; }
  void resolve_body();
  void mismatch(std::size_t actual);

  DeframerOptions options_;
  std::string buffer_;  // Its size is the capacity; the data is between `begin_` and `end_`.
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t scanned_ = 0;  // Bytes from `begin_` that were already examined.
  std::size_t looked_ = 0;   // In a header: where to search for the end of the line. In a line: size of the prefix that
                             // is not a complete value.
  DeframeState state_ = DeframeState::between;
  bool at_start_ = true;  // No byte of the stream was consumed yet.
  bool had_bom_ = false;
  std::optional<Frame> ready_;
  std::vector<FramingRepair> repairs_;

  // State of a message with a Content-Length header.
  std::optional<std::size_t> count_;
  std::size_t header_size_ = 0;
  JsonBoundaryScanner scanner_;
  bool opened_ = false;
  bool broken_ = false;
  bool discarding_ = false;         // The message is too long; its frame was already returned.
  std::size_t noted_ = 0;           // Where to search for the start of a line that looks like a message.
  std::size_t line_start_ = 0;      // First such line; 0 for none.
  std::optional<bool> whole_line_;  // Whether one of these lines is a complete message.
  std::size_t dropped_ = 0;         // Bytes of the message that were removed from the buffer.
  std::size_t padding_ = 0;         // Bytes that the declared length still covers after the message.
  bool padding_newline_ = false;
  std::size_t declared_ = 0;  // The declared length that `padding_` is the rest of.
  std::size_t actual_ = 0;    // Size of the message with that length.
};

}  // namespace fairlead::transport
