#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/task.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::store {

/// Which stream of a session an event belongs to, and where in the session it comes. Opaque to clients, who give it
/// back to say how far they have read.
struct EventId {
  std::uint32_t stream = 0;
  std::uint64_t sequence = 0;

  /// Visible ASCII. An `opening` other than 0 makes a text of its own for a place that has been named before.
  std::string text(std::uint32_t opening = 0) const;

  /// Nothing for what `text` never gave.
  static std::optional<EventId> parse(std::string_view text);

  bool operator==(const EventId&) const = default;
};

struct Event {
  EventId id;
  std::string data;

  bool operator==(const Event&) const = default;
};

/// What was said on the streams of one session, so that a client that lost one can have the rest of it.
class EventLog {
 public:
  virtual ~EventLog() = default;

  /// Keeps what is said on a stream, and shows it as it is kept until the next is added. Ids grow over all streams of
  /// the session, and are never given twice.
  virtual const Event& add(std::uint32_t stream, std::string data) = 0;

  /// What was said on the same stream after that, as far as it is still known.
  virtual Task<std::vector<Event>> after(EventId last) = 0;
};

struct EventLogLimits {
  std::size_t max_events = 256;
  std::size_t max_bytes = std::size_t{256} * 1024;
};

/// A log in memory. When it is full the oldest events go; the newest one always stays.
std::unique_ptr<EventLog> memory_event_log(EventLogLimits limits = {});

}  // namespace fairlead::store
