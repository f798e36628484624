#include "transport/http_server/response_writer.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <stop_token>
#include <utility>

namespace fairlead::transport {

/// State of one response being written. `write_response` itself awaits, so that an idle stream costs only one coroutine
/// frame.
class ResponseWriter final : private ResponseChannel::Writer {
 public:
  ResponseWriter(http::Exchange& exchange, ResponseChannel& channel, StreamStart& start)
      : exchange_(exchange),
        channel_(channel),
        start_(start),
        keep_alive_timer_(exchange.loop().timers, [&channel] { due(channel); }) {
    channel_.keep_alive_due_ = start.at_once;
  }
  ResponseWriter(const ResponseWriter&) = delete;
  ResponseWriter& operator=(const ResponseWriter&) = delete;
  ~ResponseWriter() { channel_.close(); }

  /// Completes when there may be something to do.
  std::shared_ptr<Promise<ResponseChannel::Wake>> change() {
    if (!keep_alive_timer_.armed()) rearm();
    channel_.set_writer(*this);
    return wakeup_ = std::make_shared<Promise<ResponseChannel::Wake>>();
  }
  void wake() { channel_.wake_writer(); }

  bool is_whole() const { return channel_.whole_ != nullptr; }
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
  void on_wake(ResponseChannel::Wake how) override {
    const auto change = std::exchange(wakeup_, nullptr);
    change->set(std::move(how));
  }

  static void due(ResponseChannel& channel) {
    channel.keep_alive_due_ = true;
    channel.wake_writer();
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
    if (start_.first_event && !http::write_sse(head.body, *start_.first_event)) head.body.clear();
    start_.first_event.reset();
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
  std::shared_ptr<Promise<ResponseChannel::Wake>> wakeup_;
  std::string writing_;
};

Task<Written> write_response(http::Exchange& exchange, std::shared_ptr<ResponseChannel> channel, StreamStart start) {
  ResponseWriter writer(exchange, *channel, start);
  const auto gone = exchange.stop_token();
  const std::stop_callback wake(gone, [&writer] { writer.wake(); });
  while (!gone.stop_requested()) {
    if (writer.is_whole() || writer.is_short() || writer.is_closed()) {
      const auto finished = co_await writer.finish();
      co_return finished ? Written::all : Written::some;
    }
    if (!writer.is_due()) {
      const auto change = writer.change();
      const auto how = co_await change->wait();
      if (how == ResponseChannel::Wake::later) co_await next_turn;
      continue;
    }
    const auto written = co_await writer.write_more();
    if (!written) break;
    // A long-lived stream does not need the request any more.
    if (std::exchange(start.at_once, false)) exchange.release_request_memory();
    writer.written();
  }
  co_return Written::some;
}

Task<void> respond(http::Exchange& exchange, http::Response response) {
  co_await exchange.respond(std::move(response));
}

}  // namespace fairlead::transport
