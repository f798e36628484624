#include "transport/http_server/pump.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <stop_token>
#include <utility>

namespace fairlead::transport {

/// One answer being written. What it awaits is awaited in `pump` itself: an idle stream costs one frame of ours.
class Pump final : private Lane::Writer {
 public:
  Pump(http::Exchange& exchange, Lane& lane, StreamStart& start)
      : exchange_(exchange), lane_(lane), start_(start), beat_(exchange.loop().timers, [&lane] { due(lane); }) {
    lane_.beat_ = start.at_once;
  }
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;
  ~Pump() { lane_.close(); }

  /// Settled when there is something to do, perhaps.
  std::shared_ptr<Promise<bool>> change() {
    if (!beat_.armed()) rearm();
    lane_.set_writer(*this);
    return change_ = std::make_shared<Promise<bool>>();
  }
  void hurry() { lane_.wake_writer(); }

  bool is_whole() const { return lane_.whole_ != nullptr; }
  /// All was said before anything was written, so that its length is known.
  bool is_short() const { return lane_.ended_ && !lane_.begun_; }
  bool is_over() const { return lane_.ended_ && lane_.unsent_.empty() && lane_.begun_; }
  bool is_due() const { return lane_.beat_ || lane_.ended_ || !lane_.unsent_.empty(); }

  Task<Result<void>> finish() {
    if (is_whole()) return exchange_.respond(std::move(*lane_.whole_));
    return is_short() ? exchange_.respond(first_events()) : exchange_.end();
  }

  Task<Result<void>> write_more() { return lane_.begun_ ? write() : begin(); }

  void written() {
    writing_ = {};
    rearm();
  }

 private:
  void go_on(Lane::Wake how) override {
    const auto change = std::exchange(change_, nullptr);
    how == Lane::Wake::now ? change->set_and_yield(true) : change->set(true);
  }

  static void due(Lane& lane) {
    lane.beat_ = true;
    lane.wake_writer();
  }

  void rearm() {
    if (start_.keep_alive == Duration::zero()) return;
    beat_.arm(Deadline::in(start_.keep_alive, exchange_.loop().timers.clock()));
  }

  Task<Result<void>> begin() { return exchange_.begin(first_events()); }

  http::Response first_events() {
    lane_.begun_ = true;
    lane_.beat_ = false;
    http::Response head{.content_type = "text/event-stream", .headers = std::exchange(start_.headers, {})};
    head.headers.reserve(head.headers.size() + 2);
    head.headers.push_back({"Cache-Control", "no-cache, no-transform"});
    head.headers.push_back({"X-Accel-Buffering", "no"});
    if (start_.opening && !http::write_sse(head.body, *start_.opening)) head.body.clear();
    start_.opening.reset();
    head.body += take();
    return head;
  }

  Task<Result<void>> write() {
    const bool alive = std::exchange(lane_.beat_, false);
    writing_ = take();
    return exchange_.write(writing_.empty() && alive ? start_.comment : std::string_view(writing_));
  }

  // Whoever waits for room may go on: what is taken is as good as written, or the client is gone.
  std::string take() {
    lane_.wake_senders();
    return std::exchange(lane_.unsent_, {});
  }

  http::Exchange& exchange_;
  Lane& lane_;
  StreamStart& start_;
  Timer beat_;
  std::shared_ptr<Promise<bool>> change_;
  std::string writing_;
};

Task<Written> pump(http::Exchange& exchange, std::shared_ptr<Lane> lane, StreamStart start) {
  Pump pump(exchange, *lane, start);
  const auto gone = exchange.gone();
  const std::stop_callback hurry(gone, [&pump] { pump.hurry(); });
  while (!gone.stop_requested()) {
    if (pump.is_whole() || pump.is_short() || pump.is_over()) {
      const auto finished = co_await pump.finish();
      co_return finished ? Written::all : Written::some;
    }
    if (!pump.is_due()) {
      const auto change = pump.change();
      co_await change->settled();
      continue;
    }
    const auto written = co_await pump.write_more();
    if (!written) break;
    // A stream that may be idle for hours needs no more of what asked for it.
    if (std::exchange(start.at_once, false)) exchange.forget_request();
    pump.written();
  }
  co_return Written::some;
}

Task<void> respond(http::Exchange& exchange, http::Response response) {
  co_await exchange.respond(std::move(response));
}

}  // namespace fairlead::transport
