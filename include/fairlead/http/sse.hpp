#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string_view>

/// Server-sent events of the WHATWG standard (HTML, section 9.2).
namespace fairlead::http {

struct SseEvent {
  std::string event = "message";
  std::string data = {};
  std::string id = {};  ///< Received: the last event id so far. To send: empty for none.
  std::optional<std::chrono::milliseconds> retry = {};

  bool operator==(const SseEvent&) const = default;
};

/// Appends one event, its data split into lines. `invalid`, and nothing is written, if the id or the event name
/// contains a line break, which could inject fields.
Result<void> write_sse(std::string& out, const SseEvent& event);
/// Appends a `message` event with data and an optional id.
Result<void> write_sse(std::string& out, std::string_view data, std::string_view id);

struct SseLimits {
  std::size_t max_line = std::size_t{64} * 1024 * 1024;
  std::size_t max_event = std::size_t{64} * 1024 * 1024;  ///< Size of the data of one event, all lines together.
};

/// Incremental parser: feed bytes in pieces of any size, take events out. An event that the end of the stream cuts off
/// is discarded.
///
/// Invalid UTF-8 is passed on unchanged; the reader of the data rejects it.
class SseParser {
 public:
  explicit SseParser(SseLimits limits = {}) : limits_(limits) {}

  /// Returns `malformed` when a limit is exceeded, and for every later call; events parsed before stay available.
  Result<void> feed(std::string_view bytes);

  std::optional<SseEvent> next();

  /// Id and retry time of the last complete event, with or without data; used to resume.
  const std::string& last_event_id() const { return last_id_; }
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  std::string_view skip_mark(std::string_view bytes);
  Result<void> consume(std::string_view bytes, bool whole);
  Result<void> read_line(std::string_view line);
  Result<void> read_field(std::string_view name, std::string_view value);
  void read_retry(std::string_view value);
  void dispatch();
  Result<void> too_large(std::string_view what, std::size_t limit);

  SseLimits limits_;
  std::uint8_t mark_ = 0;      // Bytes of a byte-order mark seen at the start; 3 once it is decided.
  bool skip_newline_ = false;  // The last line ended with a carriage return: skip a newline that follows.
  bool failed_ = false;
  std::string line_;  // The current line, not complete yet.
  std::string name_, data_, id_;
  std::optional<std::chrono::milliseconds> event_retry_;
  std::string last_id_;
  std::optional<std::chrono::milliseconds> retry_;
  std::deque<SseEvent> ready_;
};

}  // namespace fairlead::http
