#pragma once

#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/store/event_log.hpp>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/next_turn.hpp"
#include "transport/http_server/response_channel.hpp"

namespace fairlead::transport {

/// First event, headers and keep-alive of an event stream.
struct StreamStart {
  /// An event without data, whose id the client can resume the stream with.
  struct PrimingEvent {
    store::EventId id;
    std::uint32_t opening;  ///< See `store::EventId::text`.
    std::chrono::milliseconds retry;
  };
  std::optional<PrimingEvent> priming_event = {};
  std::vector<http::Header> headers = {};
  Duration keep_alive = std::chrono::seconds{15};  ///< Idle time after which a comment is written; 0 for never.
  std::string_view comment = ": keep-alive\n\n";
  Duration lifetime = Duration::zero();  ///< The stream ends after this time; 0 for no limit.
  bool at_once = false;                  ///< Send the response head before the first event.
};

/// Writes the data of a channel as the response to a request, until the channel ends or the client disconnects. A
/// channel without data for `keep_alive` becomes an event stream, so that proxies do not time out.
Task<void> write_response(http::Exchange& exchange, std::shared_ptr<ResponseChannel> channel, StreamStart start);

/// Waits for the first output of a channel. Returns the complete response if that is the output, else a response that
/// streams. Keeps `owner` until the response was returned, or until the stream or the connection has ended.
template <class Owner>
Task<http::Response> first_response(TimerWheel& timers, std::shared_ptr<ResponseChannel> channel, StreamStart start,
                                    Owner owner) {
  {
    Timer keep_alive(timers, [&] {
      start.at_once = true;
      channel->wake_writer();
    });
    if (start.keep_alive > Duration::zero()) keep_alive.arm(Deadline::in(start.keep_alive, timers.clock()));
    while (!channel->ended() && !channel->streaming() && !start.at_once) {
      const auto when = co_await channel->changed();
      if (!when) break;
      if (*when == ResponseChannel::Wake::turn_end) co_await next_turn;
    }
  }
  if (channel->whole()) co_return std::move(*channel->whole());
  co_return http::streamed([channel = std::move(channel), start = std::move(start),
                            owner = std::move(owner)](http::Exchange& exchange) mutable {
    return write_response(exchange, std::move(channel), std::move(start));
  });
}

}  // namespace fairlead::transport
