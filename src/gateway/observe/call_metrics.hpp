#pragma once

#include <compare>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/last_value.hpp"
#include "gateway/observe/duration_histogram.hpp"
#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

/// Summary of a server for operators.
struct ServerStats {
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
  double p50_ms = 0;  ///< Over the last `CallMetrics::stats_window` calls.
  double p99_ms = 0;
  std::string last_error = {};  ///< Secrets redacted; empty for none.
};

/// Counts calls and their outcomes. Its size is bounded, whatever callers send.
class CallMetrics final : public Observer {
 public:
  static constexpr std::size_t max_series = 2'000;
  static constexpr std::size_t stats_window = 1'000;

  /// Labels of a series.
  struct Key {
    Hop hop = Hop::front;
    std::string server = {};
    std::string method = {};  ///< "other" for methods that no revision defines.
    std::string tool = {};    ///< Tool name of `tools/call`, "other" for unlisted tools.

    auto operator<=>(const Key&) const = default;
  };
  struct Series {
    DurationHistogram durations = {};
    std::map<Plane, std::uint64_t> errors = {};
  };

  void on_start(session::Call& call, CallRecord& record) override;
  void on_end(session::Call& call, const CallRecord& record) override;

  const std::map<Key, Series>& series() const { return series_; }
  /// Statistics of one server over all its tools; zero without calls.
  ServerStats server_stats(std::string_view server) const;

  std::size_t pending(Hop hop) const { return pending_[static_cast<std::size_t>(hop)]; }
  /// Open `subscriptions/listen` requests, which are not counted as calls.
  std::size_t listening() const { return listening_; }

 private:
  struct ServerWindow {
    ServerStats totals = {};
    std::vector<float> last = {};  // Milliseconds; a ring buffer.
    std::size_t next = 0;
  };

  Series& series_of(const CallRecord& record);
  void count_server(const CallRecord& record);

  std::map<Key, Series> series_;
  // By server, method, target and whether the target is listed.
  using LastSeries = LastValue<std::tuple<std::string, std::string, std::string, bool>, Series*>;
  std::array<LastSeries, 2> last_ = {};
  std::map<std::string, ServerWindow, std::less<>> servers_;
  std::array<std::size_t, 2> pending_ = {};
  std::size_t listening_ = 0;
};

}  // namespace fairlead::gateway
