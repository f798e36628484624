#include <algorithm>
#include <charconv>
#include <fairlead/http/sse.hpp>
#include <limits>
#include <utility>

#include "base/ascii.hpp"

namespace fairlead::http {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Finds line ends in one piece of input in linear time, for CR and LF.
class LineEnds {
 public:
  explicit LineEnds(std::string_view bytes) : bytes_(bytes) {}

  std::size_t next(std::size_t from) {
    return_ = find('\r', from, return_);
    newline_ = find('\n', from, newline_);
    return std::min(return_, newline_);
  }

 private:
  // A previous result after `from` is still valid.
  std::size_t find(char end, std::size_t from, std::size_t known) const {
    if (known != unknown && (known >= from)) return known;
    return bytes_.find(end, from);
  }

  static constexpr std::size_t unknown = std::string_view::npos - 1;
  std::string_view bytes_;
  std::size_t return_ = unknown;
  std::size_t newline_ = unknown;
};

}  // namespace

Result<void> SseParser::feed(std::string_view bytes) {
  if (failed_) return fail(ErrorKind::malformed, "the event stream exceeded its limit");
  if (mark_ < byte_order_mark.size()) bytes = skip_mark(bytes);
  LineEnds ends(bytes);
  std::size_t begin = 0;
  while (begin < bytes.size()) {
    if (std::exchange(skip_newline_, false) && bytes[begin] == '\n') {
      ++begin;
      continue;
    }
    const auto end = ends.next(begin);
    const bool whole = end != std::string_view::npos;
    if (auto taken = consume(bytes.substr(begin, whole ? end - begin : end), whole); !taken) return taken;
    if (!whole) break;
    skip_newline_ = bytes[end] == '\r';
    begin = end + 1;
  }
  return {};
}

// Only at the start of the stream. Bytes that only look like a byte-order mark belong to the first line.
std::string_view SseParser::skip_mark(std::string_view bytes) {
  while (!bytes.empty() && mark_ < byte_order_mark.size()) {
    if (bytes.front() != byte_order_mark[mark_]) {
      line_ = byte_order_mark.substr(0, mark_);
      mark_ = byte_order_mark.size();
      break;
    }
    ++mark_;
    bytes.remove_prefix(1);
  }
  return bytes;
}

Result<void> SseParser::consume(std::string_view bytes, bool whole) {
  if (line_.size() + bytes.size() > limits_.max_line) return too_large("line", limits_.max_line);
  if (whole && line_.empty()) return read_line(bytes);
  line_ += bytes;
  if (!whole) return {};
  return read_line(std::exchange(line_, {}));
}

Result<void> SseParser::read_line(std::string_view line) {
  if (line.empty()) {
    dispatch();
    return {};
  }
  const auto colon = line.find(':');
  if (colon == 0) return {};
  if (colon == std::string_view::npos) return read_field(line, {});
  auto value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  return read_field(line.substr(0, colon), value);
}

Result<void> SseParser::read_field(std::string_view name, std::string_view value) {
  if (name == "data") {
    if (data_.size() + value.size() > limits_.max_event) return too_large("event", limits_.max_event);
    data_ += value;
    data_ += '\n';
  } else if (name == "event") {
    name_ = value;
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) id_ = value;
  } else if (name == "retry") {
    read_retry(value);
  }
  return {};
}

void SseParser::read_retry(std::string_view value) {
  if (value.empty() || !std::ranges::all_of(value, ascii::is_digit)) return;
  // Ignore values that overflow.
  std::int32_t milliseconds = std::numeric_limits<std::int32_t>::max();
  std::from_chars(value.data(), value.data() + value.size(), milliseconds);
  event_retry_ = retry_ = std::chrono::milliseconds(milliseconds);
}

void SseParser::dispatch() {
  last_id_ = id_;
  auto name = std::exchange(name_, {});
  auto data = std::exchange(data_, {});
  const auto retry = std::exchange(event_retry_, {});
  if (data.empty()) return;
  data.pop_back();
  ready_.push_back(
      {.event = name.empty() ? "message" : std::move(name), .data = std::move(data), .id = id_, .retry = retry});
}

std::optional<SseEvent> SseParser::next() {
  if (ready_.empty()) return std::nullopt;
  auto event = std::move(ready_.front());
  ready_.pop_front();
  return event;
}

Result<void> SseParser::too_large(std::string_view what, std::size_t limit) {
  failed_ = true;
  line_ = {};
  data_ = {};
  return fail(ErrorKind::malformed, "a " + std::string(what) + " of the event stream is longer than " +
                                        std::to_string(limit) + " bytes; raise the limit if this is expected");
}

}  // namespace fairlead::http
