#include "transport/http_server/response_writer.hpp"

#include <fairlead/http/sse.hpp>
#include <stop_token>
#include <utility>

namespace fairlead::transport {

/// State of one response being written. `write_response` itself awaits, so that an idle stream costs only one coroutine
/// frame.
class ResponseWriter {
 public:
  ResponseWriter(http::Exchange& exchange, ResponseChannel& channel, StreamStart& start)
      : exchange_(exchange),
        channel_(channel),
        start_(start),
        keep_alive_timer_(exchange.loop().timers, [&channel] { due(channel); }) {
    channel_.keep_alive_due_ = start.at_once;
    if (start.lifetime > Duration::zero()) end_after(start.lifetime);
  }
  ResponseWriter(const ResponseWriter&) = delete;
  ResponseWriter& operator=(const ResponseWriter&) = delete;
  ~ResponseWriter() { channel_.close(); }

  /// Awaited, returns when there may be something to do.
  auto change() {
    if (!keep_alive_timer_.armed()) rearm();
    return channel_.changed();
  }

  bool is_whole() const { return channel_.whole_.has_value(); }
  /// The response ended before anything was written, so its length is known.
  bool is_short() const { return channel_.ended_ && !channel_.begun_; }
  bool is_closed() const { return channel_.ended_ && channel_.unsent_.empty() && channel_.begun_; }
  bool is_due() const { return channel_.keep_alive_due_ || channel_.ended_ || !channel_.unsent_.empty(); }

  Task<Result<void>> finish() {
    if (is_whole()) return exchange_.respond(std::move(*channel_.whole_));
    return is_short() ? exchange_.respond(first_events()) : exchange_.end();
  }

  Task<Result<void>> write_more() { return channel_.begun_ ? write() : begin(); }

  void written() {
    writing_ = {};
    rearm();
  }

 private:
  static void due(ResponseChannel& channel) {
    channel.keep_alive_due_ = true;
    channel.wake_writer();
  }

  void end_after(Duration lifetime) {
    auto& timers = exchange_.loop().timers;
    lifetime_timer_ = std::make_unique<Timer>(timers, [this] { channel_.end(); });
    lifetime_timer_->arm(Deadline::in(lifetime, timers.clock()));
  }

  void rearm() {
    if (start_.keep_alive == Duration::zero()) return;
    keep_alive_timer_.arm(Deadline::in(start_.keep_alive, exchange_.loop().timers.clock()));
  }

  Task<Result<void>> begin() { return exchange_.begin(first_events()); }

  http::Response first_events() {
    channel_.begun_ = true;
    channel_.keep_alive_due_ = false;
    http::Response head{.content_type = "text/event-stream", .headers = std::exchange(start_.headers, {})};
    head.headers.reserve(head.headers.size() + 2);
    head.headers.push_back({"Cache-Control", "no-cache, no-transform"});
    head.headers.push_back({"X-Accel-Buffering", "no"});
    if (const auto priming = std::exchange(start_.priming_event, std::nullopt)) {
      // Event ids never contain line breaks, so this cannot fail.
      (void)http::write_sse(head.body, {.id = priming->id.text(priming->opening), .retry = priming->retry});
    }
    head.body += take();
    return head;
  }

  Task<Result<void>> write() {
    const bool alive = std::exchange(channel_.keep_alive_due_, false);
    writing_ = take();
    return exchange_.write(writing_.empty() && alive ? start_.comment : std::string_view(writing_));
  }

  // Wakes the senders: the taken data is written or the client has disconnected.
  std::string take() {
    channel_.wake_senders();
    return std::exchange(channel_.unsent_, {});
  }

  http::Exchange& exchange_;
  ResponseChannel& channel_;
  StreamStart& start_;
  Timer keep_alive_timer_;
  std::unique_ptr<Timer> lifetime_timer_;  // Null for a stream without a limit.
  std::string writing_;
};

Task<void> write_response(http::Exchange& exchange, std::shared_ptr<ResponseChannel> channel, StreamStart start) {
  ResponseWriter writer(exchange, *channel, start);
  const auto gone = exchange.stop_token();
  const std::stop_callback wake(gone, [&channel] { channel->wake_writer(); });
  while (!gone.stop_requested()) {
    if (writer.is_whole() || writer.is_short() || writer.is_closed()) {
      co_await writer.finish();
      co_return;
    }
    if (!writer.is_due()) {
      const auto when = co_await writer.change();
      if (when == ResponseChannel::Wake::turn_end) co_await next_turn;
      continue;
    }
    const auto written = co_await writer.write_more();
    if (!written) break;
    // A long-lived stream does not need the request any more.
    if (std::exchange(start.at_once, false)) exchange.release_request_memory();
    writer.written();
  }
}

}  // namespace fairlead::transport
