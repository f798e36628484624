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

/// What was said, kept once for all who keep it.
using SharedText = std::shared_ptr<const std::string>;

struct Event {
  EventId id;
  SharedText data;
};

/// What was said on the streams of one session, so that a client that lost one can have the rest of it.
class EventLog {
 public:
  virtual ~EventLog() = default;

  /// Numbers what is said on a stream, and keeps it as far as the limits allow; null keeps nothing. Ids grow over all
  /// streams of the session, and are never given twice.
  virtual EventId add(std::uint32_t stream, SharedText data) = 0;

  /// What was said on the same stream after that, as far as it is still known.
  virtual Task<std::vector<Event>> after(EventId last) = 0;
};

struct EventLogLimits {
  std::size_t max_events = 256;
  std::size_t max_bytes = std::size_t{1024} * 1024;  ///< Of all events; one that alone is larger is not kept.
};

/// Gives those who say the same one text to keep: most of what sessions are told unasked is told to all of them.
class RecentText {
 public:
  SharedText share(std::string text);

 private:
  std::weak_ptr<const std::string> last_;
};

/// A log in memory. When it is full the oldest events go.
std::unique_ptr<EventLog> memory_event_log(EventLogLimits limits = {});

}  // namespace fairlead::store
