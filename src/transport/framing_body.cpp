// Deframer: headers and messages with a declared length.
#include <algorithm>
#include <charconv>
#include <fairlead/transport/framing.hpp>
#include <limits>
#include <utility>

#include "transport/header_line.hpp"

namespace fairlead::transport {
namespace {

constexpr std::size_t longest_header = 8192;

}  // namespace

bool Deframer::read_header() {
  while (scanned_ < end_ - begin_) {
    const auto block = rest();
    if (scanned_ > longest_header) return overlong_header();
    if (opens_value(block[scanned_])) {
      repairs_.push_back({.kind = FramingRepair::Kind::missing_empty_line});
      return enter_body(scanned_);
    }
    const auto end = block.find('\n', std::max(scanned_, looked_));
    looked_ = std::min(end, block.size());
    if (looked_ > longest_header) return overlong_header();
    if (end == std::string_view::npos) return false;
    const std::size_t begin = std::exchange(scanned_, end + 1);
    const auto line = trimmed(block.substr(begin, end - begin));
    if (line.empty()) return enter_body(scanned_);
    if (read_header_line(line, static_cast<std::size_t>(line.data() - block.data()))) return true;
  }
  return false;
}

// True if the message starts on the line of the header.
bool Deframer::read_header_line(std::string_view line, std::size_t begin) {
  const char* value = count_value(line);
  if (value == nullptr) return false;
  const char* const end = line.data() + line.size();
  while (value != end && is_space(*value)) ++value;
  std::size_t count = 0;
  const auto [digits_end, error] = std::from_chars(value, end, count);
  if (error == std::errc::result_out_of_range) count = std::numeric_limits<std::size_t>::max();
  count_.reset();
  if (digits_end == value) return false;
  const auto behind = trimmed({digits_end, end});
  if (behind.empty()) count_ = count;
  if (behind.empty() || !opens_value(behind.front())) return false;
  count_ = count;
  repairs_.push_back({.kind = FramingRepair::Kind::missing_empty_line});
  return enter_body(begin + static_cast<std::size_t>(behind.data() - line.data()));
}

// Too long for a header: its complete lines are emitted as one frame, so that no byte is examined twice.
bool Deframer::overlong_header() {
  if (scanned_ == 0) {
    const std::size_t looked = looked_;
    enter(DeframeState::line);
    scanned_ = looked;
    return true;
  }
  emit_line(scanned_);
  return true;
}

bool Deframer::enter_body(std::size_t header_size) {
  header_size_ = header_size;
  drop(header_size);
  enter(count_ ? DeframeState::body : DeframeState::between);
  if (!count_) repairs_.push_back({.kind = FramingRepair::Kind::bad_header});
  scanner_.reset();
  opened_ = broken_ = discarding_ = false;
  dropped_ = noted_ = line_start_ = 0;
  whole_line_.reset();
  return true;
}

bool Deframer::read_trusted_body() {
  const std::size_t limit = options_.max_message;
  if (!discarding_ && limit != 0 && count() > limit) {
    if (end_ - begin_ < limit) return false;
    emit(limit, Framing::content_length, true);
    dropped_ = limit;
    discarding_ = true;
    return true;
  }
  if (discarding_) {
    const std::size_t size = std::min(count() - dropped_, end_ - begin_);
    drop(size);
    dropped_ += size;
    if (dropped_ < count()) return false;
    enter(DeframeState::between);
    return true;
  }
  if (end_ - begin_ < count()) return false;
  return end_body(count());
}

bool Deframer::read_body() {
  if (!opened_ && !open_value()) return false;
  if (state_ != DeframeState::body) return true;
  return broken_ ? search_header() : walk_value();
}

// Decides by the first byte after white space. False until it has arrived.
bool Deframer::open_value() {
  const auto body = rest();
  while (scanned_ < body.size() && is_space(body[scanned_])) ++scanned_;
  if (scanned_ == body.size()) return false;
  if (!opens_value(body[scanned_]) && scanned_ >= count()) {
    drop(scanned_);
    enter(DeframeState::between);
    return true;
  }
  opened_ = true;
  broken_ = !opens_value(body[scanned_]);
  if (broken_) scanned_ = 0;
  noted_ = scanned_ + 1;
  return true;
}

bool Deframer::walk_value() {
  auto body = rest();
  const std::size_t limit = options_.max_message;
  if (discarding_) {
    body = body.substr(0, count() - dropped_);
  } else if (limit != 0) {
    body = body.substr(0, limit + 1);
  }
  if (scanned_ < body.size()) scanned_ += scanner_.walk(body.substr(scanned_));
  if (!discarding_ && limit != 0 && scanned_ > limit) return over_limit();
  if (scanner_.state() == JsonBoundaryScanner::ScanState::closed) return value_closed();
  note_line_starts();
  broken_ = scanner_.state() == JsonBoundaryScanner::ScanState::broken;
  if (broken_) return position() >= count() ? end_broken() : true;
  if (discarding_ && position() >= count()) return body_as_counted();
  return forget_scanned();
}

// The JSON is broken, so only the declared length marks its end, unless that is wrong too and a header of another
// message starts a line inside.
bool Deframer::search_header() {
  const auto body = rest();
  const std::size_t limit = options_.max_message;
  const std::size_t window = std::min(count() - dropped_, body.size());
  for (; scanned_ < window; ++scanned_) {
    if (!discarding_ && limit != 0 && scanned_ > limit) return over_limit();
    if (position() != 0 && body[scanned_ - 1] != '\n') continue;
    const auto header = match_header(body.substr(scanned_));
    if (header == HeaderMatch::maybe) return false;
    if (header == HeaderMatch::yes) {
      repairs_.push_back({.declared = count(), .actual = position()});
      return end_body(scanned_);
    }
  }
  if (!discarding_ && limit != 0 && scanned_ > limit) return over_limit();
  note_line_starts();
  if (position() >= count()) return end_broken();
  return forget_scanned();
}

// Records the first line that looks like a message.
void Deframer::note_line_starts() {
  const auto body = rest().substr(0, scanned_);
  for (; line_start_ == 0 && !discarding_ && noted_ < body.size(); ++noted_) {
    noted_ = body.find('\n', noted_ - 1);
    if (noted_ == std::string_view::npos || ++noted_ == body.size()) break;
    if (opens_value(body[noted_])) line_start_ = noted_;
  }
  noted_ = std::max(body.size(), std::size_t{1});
}

// A broken value ends at its declared length, unless a line inside looks like a message and either is a complete one or
// the bytes after the length are not a message. False until decided.
bool Deframer::end_broken() {
  if (line_start_ == 0 || line_start_ >= count()) return body_as_counted();
  if (!holds_whole_line()) {
    const auto next = rest().find_first_not_of(" \t\r\n", std::max(count(), looked_));
    looked_ = std::min(next, rest().size());
    if (next == std::string_view::npos) return false;
    const char c = rest()[next];
    if (opens_value(c) || c == 'C' || c == 'c') return body_as_counted();
  }
  repairs_.push_back({.declared = count(), .actual = line_start_});
  return end_body(line_start_);
}

// True if a line within the declared length is a complete value: then the length was wrong, because it covers a message
// that followed the broken one.
bool Deframer::holds_whole_line() {
  if (whole_line_) return *whole_line_;
  whole_line_ = false;
  auto body = rest().substr(line_start_, count() - line_start_);
  while (!body.empty() && !*whole_line_) {
    const auto line = body.substr(0, body.find('\n'));
    whole_line_ = is_whole_value(line);
    body.remove_prefix(std::min(line.size() + 1, body.size()));
  }
  return *whole_line_;
}

bool Deframer::value_closed() {
  const std::size_t size = position();
  if (size > count()) repairs_.push_back({.declared = count(), .actual = size});
  padding_ = size < count() ? count() - size : 0;
  declared_ = count();
  actual_ = size;
  padding_newline_ = false;
  return end_body(scanned_);
}

bool Deframer::over_limit() {
  if (count() <= options_.max_message) return body_as_counted();
  const std::size_t limit = options_.max_message;
  // Keep one byte: the start of a line is detected by the byte before it.
  Frame frame{.text = std::string(rest().substr(0, limit)),
              .framing = Framing::content_length,
              .declared = count_,
              .header_size = header_size_,
              .had_bom = std::exchange(had_bom_, false),
              .too_long = true};
  ready_ = std::move(frame);
  discarding_ = true;
  line_start_ = 0;
  forget_scanned();
  return true;
}

// Takes exactly the declared length; the next message starts after it.
bool Deframer::body_as_counted() {
  return end_body(count() - dropped_);
}

bool Deframer::end_body(std::size_t size) {
  if (discarding_) {
    drop(size);
  } else {
    emit(size, Framing::content_length);
  }
  enter(DeframeState::between);
  return true;
}

// Always false: more bytes are needed.
bool Deframer::forget_scanned() {
  if (discarding_ && scanned_ > 1) {
    drop(scanned_ - 1);
    dropped_ += scanned_ - 1;
    scanned_ = 1;
  }
  return false;
}

// End of input: the length was too large, or the message is truncated.
void Deframer::resolve_body() {
  if (opened_) note_line_starts();
  if (opened_ && position() >= count()) {
    if (!end_broken()) body_as_counted();
    return;
  }
  const std::size_t available = std::min(end_ - begin_, count() - dropped_);
  const std::size_t end = line_start_ != 0 ? line_start_ : available;
  if (end != 0) repairs_.push_back({.declared = count(), .actual = dropped_ + end});
  end_body(end);
}

}  // namespace fairlead::transport
