#include <fairlead/transport/framing.hpp>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "transport/header_line.hpp"

namespace fairlead::transport {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
// Messages up to this size are copied out of the buffer; a larger one takes the buffer.
constexpr std::size_t large = 1024 * 1024;

}  // namespace

void append_frame(std::string& out, std::string_view text, Framing framing) {
  if (framing == Framing::content_length) {
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n\r\n", text.size());
  }
  out += text;
  if (framing == Framing::line) out += '\n';
}

std::string FramingRepair::message() const {
  switch (kind) {
    case Kind::length_mismatch:
      return fmt::format("length mismatch: Content-Length is {}, but the message has {} bytes", declared, actual);
    case Kind::missing_empty_line: return "missing CRLFCRLF: the message follows its header without an empty line";
    case Kind::bad_header: return "a header without a usable Content-Length";
    case Kind::byte_order_mark: break;
  }
  return "BOM contamination: the stream starts with a byte-order mark";
}

void Deframer::feed(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto room = prepare(bytes.size());
  std::memcpy(room.data(), bytes.data(), bytes.size());
  commit(bytes.size());
}

std::span<char> Deframer::prepare(std::size_t size) {
  if (begin_ == end_) begin_ = end_ = 0;
  // Compact only if at least as much was consumed: keeps the time linear.
  if (buffer_.size() - end_ < size && begin_ > 0 && begin_ >= end_ - begin_) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < size) buffer_.resize(std::max(end_ + size, buffer_.size() * 2));
  return {buffer_.data() + end_, size};
}

std::optional<Frame> Deframer::next() {
  while (!ready_ && step()) {
  }
  return std::exchange(ready_, std::nullopt);
}

std::vector<FramingRepair> Deframer::take_repairs() {
  return std::exchange(repairs_, {});
}

bool Deframer::step() {
  switch (state_) {
    case DeframeState::between: return start();
    case DeframeState::line: return read_line();
    case DeframeState::dropped_line: return drop_line();
    case DeframeState::header: return read_header();
    case DeframeState::body: break;
  }
  return options_.trust_counts ? read_trusted_body() : read_body();
}

bool Deframer::undecided() const {
  if (state_ == DeframeState::between) return padding_ > 0;
  if (state_ == DeframeState::line) return may_be_whole_line();
  if (state_ != DeframeState::body || options_.trust_counts) return false;
  return broken_ || line_start_ != 0 || (opened_ && position() >= count());
}

std::optional<Frame> Deframer::flush() {
  switch (state_) {
    case DeframeState::between:
      if (padding_ > 0) {
        mismatch(actual_);
      } else if (begin_ != end_) {
        at_start_ = false;
        emit_line(end_ - begin_);
      }
      break;
    case DeframeState::line:
      // An incomplete line is dropped at the end of the stream only.
      if (may_be_whole_line() && !is_whole_value(rest())) {
        looked_ = end_ - begin_;
        break;
      }
      emit_line(end_ - begin_);
      break;
    case DeframeState::header: emit_line(end_ - begin_); break;
    case DeframeState::dropped_line:
      drop(end_ - begin_);
      enter(DeframeState::between);
      break;
    case DeframeState::body: resolve_body(); break;
  }
  return std::exchange(ready_, std::nullopt);
}

void Deframer::enter(DeframeState state) {
  state_ = state;
  scanned_ = looked_ = 0;
}

std::string Deframer::consume(std::size_t size) {
  if (size < large || size < (end_ - begin_) / 2) {
    begin_ += size;
    return buffer_.substr(begin_ - size, size);
  }
  std::string following = buffer_.substr(begin_ + size, end_ - begin_ - size);
  std::string text = std::move(buffer_);
  text.erase(0, begin_);
  text.resize(size);
  buffer_ = std::move(following);
  begin_ = 0;
  end_ = buffer_.size();
  return text;
}

void Deframer::emit(std::size_t size, Framing framing, bool too_long) {
  const std::string_view all = rest().substr(0, size);
  const auto text = trimmed(all);
  const std::size_t wanted = text.size();
  const std::size_t before = text.empty() ? 0 : static_cast<std::size_t>(text.data() - all.data());
  drop(before);
  Frame frame{.text = consume(wanted), .framing = framing, .had_bom = had_bom_, .too_long = too_long};
  drop(size - before - wanted);
  if (frame.text.empty()) return;
  had_bom_ = false;
  if (framing == Framing::content_length) {
    frame.declared = count_;
    frame.header_size = header_size_;
  }
  ready_ = std::move(frame);
}

void Deframer::emit_line(std::size_t size) {
  emit(size, Framing::line);
  enter(DeframeState::between);
}

bool Deframer::start() {
  if (at_start_ && !skip_mark()) return false;
  if (padding_ > 0 && !skip_padding()) return false;
  while (begin_ != end_ && is_space(buffer_[begin_])) drop(1);
  if (begin_ == end_) return false;
  const auto header = options_.headers ? match_header(rest()) : HeaderMatch::no;
  if (header == HeaderMatch::maybe) return false;
  enter(header == HeaderMatch::yes ? DeframeState::header : DeframeState::line);
  count_.reset();
  return true;
}

bool Deframer::skip_mark() {
  const auto seen = rest().substr(0, byte_order_mark.size());
  if (seen.size() < byte_order_mark.size() && byte_order_mark.starts_with(seen)) return false;
  at_start_ = false;
  had_bom_ = seen == byte_order_mark;
  if (!had_bom_) return true;
  drop(byte_order_mark.size());
  repairs_.push_back({.kind = FramingRepair::Kind::byte_order_mark});
  return true;
}

// A declared length may include white space after the message. Other bytes mean that the length was wrong; skip to the
// next possible start of a message.
bool Deframer::skip_padding() {
  for (; padding_ > 0 && begin_ != end_; drop(1), --padding_) {
    const char c = buffer_[begin_];
    const auto header = match_header(rest());
    if (header == HeaderMatch::maybe) return false;
    if (is_space(c)) {
      padding_newline_ = padding_newline_ || c == '\n';
    } else if (padding_newline_ || opens_value(c) || header == HeaderMatch::yes) {
      mismatch(actual_);
    } else if (actual_ != 0) {
      repairs_.push_back({.declared = declared_, .actual = std::exchange(actual_, 0)});
    }
    if (padding_ == 0) break;
  }
  return padding_ == 0;
}

void Deframer::mismatch(std::size_t actual) {
  if (actual != 0) repairs_.push_back({.declared = declared_, .actual = actual});
  padding_ = 0;
}

bool Deframer::read_line() {
  const auto text = rest();
  const auto end = text.find('\n', scanned_);
  const std::size_t size = std::min(end, text.size());
  if (options_.max_message != 0 && size > options_.max_message) {
    emit(options_.max_message, Framing::line, true);
    enter(DeframeState::dropped_line);
    return true;
  }
  scanned_ = size;
  if (end == std::string_view::npos) return false;
  const std::size_t before = options_.headers ? size_before_header(text.substr(0, size)) : 0;
  emit_line(before != 0 ? before : size + 1);
  return true;
}

// A complete message without its newline, which may never arrive.
bool Deframer::may_be_whole_line() const {
  const auto text = rest();
  if (options_.trust_counts || text.size() == looked_) return false;
  return opens_value(text.front()) && (text.back() == '}' || text.back() == ']');
}

bool Deframer::drop_line() {
  const auto end = rest().find('\n');
  drop(std::min(end, end_ - begin_ - 1) + 1);
  if (end == std::string_view::npos) return false;
  enter(DeframeState::between);
  return true;
}

}  // namespace fairlead::transport
