#pragma once

#include <cstdint>
#include <fairlead/base/task.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::store {

/// Stream and sequence number of an event in a session. Opaque to clients, which return it as `Last-Event-ID` to
/// resume.
struct EventId {
  std::uint32_t stream = 0;
  std::uint64_t sequence = 0;

  /// Text form, visible ASCII. An `opening` other than 0 makes the text unique for a position that was sent before.
  std::string text(std::uint32_t opening = 0) const;

  /// Parses the output of `text`; nothing for other texts.
  static std::optional<EventId> parse(std::string_view text);

  bool operator==(const EventId&) const = default;
};

/// Event data that several logs share.
using SharedText = std::shared_ptr<const std::string>;

struct Event {
  EventId id;
  SharedText data;
};

/// The events sent on the streams of one session, so that a client can resume a broken stream.
class EventLog {
 public:
  virtual ~EventLog() = default;

  /// Assigns an id to an event of a stream and stores its data within the limits; null data is not stored. Ids increase
  /// over all streams of the session and are unique.
  virtual EventId add(std::uint32_t stream, SharedText data) = 0;

  /// Returns the stored events of the same stream after `last`.
  virtual Task<std::vector<Event>> after(EventId last) = 0;
};

struct EventLogLimits {
  std::size_t max_events = 256;
  std::size_t max_bytes = std::size_t{1024} * 1024;  ///< Total size of all events; a single larger event is not stored.
};

/// Shares one copy of a text that is sent to many sessions in a row, as most server notifications are.
class SharedTextCache {
 public:
  SharedText share(std::string text);

 private:
  std::weak_ptr<const std::string> last_;
};

/// Creates an event log in memory. When it is full, the oldest events are dropped.
std::unique_ptr<EventLog> memory_event_log(EventLogLimits limits = {});

}  // namespace fairlead::store
