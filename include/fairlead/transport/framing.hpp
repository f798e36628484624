#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/transport/json_extent.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::transport {

/// How a message is marked off from the next: by a newline, or by a header that counts its bytes.
enum class Framing : std::uint8_t { line, content_length };

/// One message's text as it came off a byte stream, before anybody has read it.
struct Frame {
  std::string text;
  Framing framing = Framing::line;
  std::optional<std::size_t> declared = {};  ///< What Content-Length said.
  std::size_t header_size = 0;               ///< Bytes before the body, its empty line included.
  bool had_bom = false;                      ///< A byte-order mark stood before it and was taken off.
  bool too_long = false;                     ///< Longer than allowed: the rest of it was dropped.

  bool operator==(const Frame&) const = default;
};

/// What was wrong with the framing and has been put right.
struct FramingFault {
  enum class Kind : std::uint8_t { length_mismatch, missing_empty_line, bad_header, byte_order_mark };

  Kind kind = Kind::length_mismatch;
  std::size_t declared = 0;  ///< For `length_mismatch`: what was said, and
  std::size_t actual = 0;    ///< what was there.

  std::string message() const;
  bool operator==(const FramingFault&) const = default;
};

/// Appends one message's text to `out` as the framing wants it.
void append_frame(std::string& out, std::string_view text, Framing framing);

struct DeframerOptions {
  std::size_t max_message = 0;  ///< 0 means no limit.
  bool headers = true;          ///< Otherwise every line is a message, whatever it starts with.
  bool trust_counts = false;    ///< A counted message is as long as its header says, right or wrong.
};

/// Cuts a byte stream into messages. Bytes go in as they arrive, in pieces of any size; frames come out.
///
/// Each message is looked at anew: one that starts with a header is counted, any other ends with its line. A count that
/// is wrong is put right, because JSON says itself where it ends; nothing that can be told from garbage is lost. Time
/// is linear in the bytes, whatever they are, and how the bytes were split never matters.
class Deframer {
 public:
  explicit Deframer(DeframerOptions options = {}) : options_(options) {}

  void feed(std::string_view bytes);

  /// Room to read into without a copy; `commit` says how much of it was filled. Invalid after any other call.
  std::span<char> prepare(std::size_t size);
  void commit(std::size_t size) { end_ += size; }

  /// The next whole message, or nothing until more bytes are there.
  std::optional<Frame> next();

  /// Whether bytes are waiting that may be a message with a wrong count, or one that is broken: if nothing more comes
  /// for a while, `flush` is due.
  bool undecided() const;

  /// Decides what only time can tell, and gives the frame that comes of it, if any; `next` may then have more. After
  /// the stream has ended, call both until `idle`.
  std::optional<Frame> flush();
  bool idle() const { return state_ == State::between && begin_ == end_ && padding_ == 0 && !ready_; }

  /// What was put right since the last call.
  std::vector<FramingFault> take_faults();

 private:
  enum class State : std::uint8_t { between, line, dropped_line, header, body };

  std::string_view rest() const { return std::string_view(buffer_).substr(begin_, end_ - begin_); }
  void drop(std::size_t size) { begin_ += size; }
  std::string take(std::size_t size);
  void emit(std::size_t size, Framing framing, bool too_long = false);
  void emit_line(std::size_t size);
  void enter(State state);

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
  void settle_body();
  void mismatch(std::size_t actual);

  DeframerOptions options_;
  std::string buffer_;  // Its size is the room there is; the bytes are between `begin_` and `end_`.
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t scanned_ = 0;  // From `begin_`: bytes that need not be looked at again.
  std::size_t looked_ =
      0;  // In a header: where to look for the end of its line. In a line: how much is no whole value.
  State state_ = State::between;
  bool at_start_ = true;  // Nothing of the stream has been taken.
  bool had_bom_ = false;
  std::optional<Frame> ready_;
  std::vector<FramingFault> faults_;

  // The message behind a header.
  std::optional<std::size_t> count_;
  std::size_t header_size_ = 0;
  JsonExtent extent_;
  bool opened_ = false;
  bool broken_ = false;
  bool discarding_ = false;         // Too long: its frame is out already.
  std::size_t noted_ = 0;           // Where to look for the start of a line that looks like a message, and
  std::size_t line_start_ = 0;      // the first that was found; 0 for none.
  std::optional<bool> whole_line_;  // Whether one of those is a message.
  std::size_t dropped_ = 0;         // Bytes of it that have left the buffer.
  std::size_t padding_ = 0;         // What the count still covers after the message.
  bool padding_newline_ = false;
  std::size_t declared_ = 0;  // The count that `padding_` is left of, and
  std::size_t actual_ = 0;    // the size of its message.
};

}  // namespace fairlead::transport
