#include "transport/http_server/pump.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <stop_token>
#include <utility>

namespace fairlead::transport {

/// One answer being written.
class Pump {
 public:
  Pump(http::Exchange& exchange, Lane& lane, StreamStart& start)
      : exchange_(exchange), lane_(lane), start_(start), beat_(exchange.loop().timers, [&lane] { due(lane); }) {
    lane_.beat_ = start.at_once;
  }
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;
  ~Pump() {
    lane_.closed_ = true;
    lane_.unsent_ = {};
    lane_.bell_.ring();
  }

  Task<Written> run() {
    const auto gone = exchange_.gone();
    const std::stop_callback hurry(gone, [this] { lane_.bell_.ring(); });
    rearm();
    while (!gone.stop_requested()) {
      if (lane_.whole_) co_return outcome(co_await exchange_.respond(std::move(*lane_.whole_)));
      if (lane_.ended_ && lane_.unsent_.empty() && lane_.begun_) co_return outcome(co_await exchange_.end());
      if (!is_due()) {
        co_await lane_.bell_.wait();
        continue;
      }
      auto piece = lane_.begun_ ? write() : begin();
      const auto written = co_await std::move(piece);
      writing_ = {};
      if (!written) break;
      rearm();
    }
    co_return Written::some;
  }

 private:
  static void due(Lane& lane) {
    lane.beat_ = true;
    lane.bell_.ring();
  }

  static Written outcome(const Result<void>& result) { return result ? Written::all : Written::some; }

  bool is_due() const { return lane_.beat_ || lane_.ended_ || !lane_.unsent_.empty(); }

  void rearm() {
    if (start_.keep_alive == Duration::zero()) return;
    beat_.arm(Deadline::in(start_.keep_alive, exchange_.loop().timers.clock()));
  }

  Task<Result<void>> begin() {
    lane_.begun_ = true;
    lane_.beat_ = false;
    http::Response head{.content_type = "text/event-stream", .headers = std::exchange(start_.headers, {})};
    head.headers.push_back({"Cache-Control", "no-cache, no-transform"});
    head.headers.push_back({"X-Accel-Buffering", "no"});
    head.body = std::exchange(start_.opening, {}) + take();
    return exchange_.begin(std::move(head));
  }

  Task<Result<void>> write() {
    const bool alive = std::exchange(lane_.beat_, false);
    writing_ = take();
    return exchange_.write(writing_.empty() && alive ? start_.comment : std::string_view(writing_));
  }

  // Whoever waits for room may go on: what is taken is as good as written, or the client is gone.
  std::string take() {
    lane_.bell_.ring();
    return std::exchange(lane_.unsent_, {});
  }

  http::Exchange& exchange_;
  Lane& lane_;
  StreamStart& start_;
  Timer beat_;
  std::string writing_;
};

Task<Written> pump(http::Exchange& exchange, std::shared_ptr<Lane> lane, StreamStart start) {
  Pump pump(exchange, *lane, start);
  co_return co_await pump.run();
}

}  // namespace fairlead::transport
