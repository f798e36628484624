#pragma once

#include <cstdint>
#include <fairlead/base/task.hpp>
#include <fairlead/http/message.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/promise.hpp"

namespace fairlead::transport {

/// Buffer between the senders and the writer of one HTTP response.
///
/// The response is complete JSON or an event stream; the first write decides. On one loop. Shared by both sides,
/// because either may end first.
class ResponseChannel {
 public:
  /// Appends serialized events.
  void write_events(std::string_view events);
  /// Appends a `message` event.
  void write_message(std::string_view text, std::string_view id = {});

  /// Sets the complete response, and writes it before returning if the writer waits. Not after an event was written.
  void answer(http::Response&& whole);

  /// Ends the response; what was appended before is still written.
  void end();

  /// True once the response is an event stream.
  bool streaming() const { return begun_ || !unsent_.empty(); }
  bool closed() const { return closed_; }
  bool ended() const { return ended_; }

  /// True if the client does not read fast enough and senders should wait.
  bool full() const { return unsent_.size() > high_water && !closed_; }

  /// Waits until the client has read most of the data or has disconnected.
  Task<void> writable();

  // Used by the writer.
  /// When the writer continues. `turn_end`: with the events that are appended until then.
  enum class Wake : std::uint8_t { turn_end, at_once };
  /// Awaited, returns when there is something to write; nothing if the waiter was stopped.
  auto changed() { return wakeup_.emplace().wait(); }
  void wake_writer(Wake when = Wake::turn_end);
  /// The complete response, once it was set. The writer moves from it.
  std::optional<http::Response>& whole() { return whole_; }
  /// The writer has ended.
  void close();

 private:
  friend class ResponseWriter;

  using Signal = std::shared_ptr<Promise<bool>>;

  bool may_write();
  void wake_senders();

  static constexpr std::size_t high_water = std::size_t{64} * 1024;

  std::optional<Promise<Wake>> wakeup_;  // Of a writer that has nothing to write.
  std::vector<Signal> senders_;          // Senders that wait for space.
  std::string unsent_;
  std::optional<http::Response> whole_;
  bool begun_ = false;
  bool ended_ = false;
  bool closed_ = false;          // The writer has ended.
  bool keep_alive_due_ = false;  // A keep-alive comment is due.
};

}  // namespace fairlead::transport
