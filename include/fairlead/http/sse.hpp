#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string>
#include <string_view>

/// Server-sent events as the WHATWG standard (HTML, section 9.2) writes and reads them.
namespace fairlead::http {

struct SseEvent {
  std::string event = "message";
  std::string data = {};
  std::string id = {};  ///< What arrived: the last id so far. To send: empty for none.
  std::optional<std::chrono::milliseconds> retry = {};

  bool operator==(const SseEvent&) const = default;
};

/// Appends one event, its data split into lines. `invalid`, and nothing is written, if the id or the name of the event
/// could end its line: whoever chose it would write fields of his own.
Result<void> write_sse(std::string& out, const SseEvent& event);
/// The same for one that has nothing but data and an id, or not even that.
Result<void> write_sse(std::string& out, std::string_view data, std::string_view id);

struct SseLimits {
  std::size_t max_line = std::size_t{64} * 1024 * 1024;
  std::size_t max_event = std::size_t{64} * 1024 * 1024;  ///< Of its data, all lines together.
};

/// Bytes in, in pieces of any size; events out. How the bytes were split never matters. An event that the stream's end
/// cuts off is not one.
///
/// Bytes that are no UTF-8 are passed on, not replaced: what reads the data refuses them.
class SseParser {
 public:
  explicit SseParser(SseLimits limits = {}) : limits_(limits) {}

  /// `malformed` when a limit is passed, and ever after; events before that can still be taken.
  Result<void> feed(std::string_view bytes);

  std::optional<SseEvent> next();

  /// Where to resume, and how long to wait before: as of the last event that was whole, with or without data.
  const std::string& last_event_id() const { return last_id_; }
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  std::string_view skip_mark(std::string_view bytes);
  Result<void> take(std::string_view bytes, bool whole);
  Result<void> read_line(std::string_view line);
  Result<void> read_field(std::string_view name, std::string_view value);
  void read_retry(std::string_view value);
  void dispatch();
  Result<void> too_large(std::string_view what, std::size_t limit);

  SseLimits limits_;
  std::uint8_t mark_ = 0;      // Bytes of a byte-order mark seen at the start; 3 once there can be none.
  bool skip_newline_ = false;  // A carriage return ended the last line: a newline now belongs to it.
  bool failed_ = false;
  std::string line_;  // Begun, and not ended yet.
  std::string name_, data_, id_;
  std::optional<std::chrono::milliseconds> event_retry_;
  std::string last_id_;
  std::optional<std::chrono::milliseconds> retry_;
  std::deque<SseEvent> ready_;
};

}  // namespace fairlead::http
