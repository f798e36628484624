#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

/// How long things took, by bounds that are about as far from each other everywhere.
struct Histogram {
  /// Seconds; what took longer than the last has a place of its own.
  static constexpr auto bounds = std::to_array<double>(
      {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300});

  std::array<std::uint64_t, bounds.size() + 1> counts = {};
  double sum = 0;

  void add(double seconds);
  std::uint64_t count() const;
};

/// What an operator wants to know of a server at a glance.
struct ServerFigures {
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
  double p50_ms = 0;  ///< Of the last `Ledger::recent` calls.
  double p99_ms = 0;
  std::string last_error = {};  ///< Without secrets; empty for none.
};

/// Counts calls and how they end. Callers can add to its numbers, but not to its size.
class Ledger final : public Observer {
 public:
  static constexpr std::size_t most_series = 2'000;
  static constexpr std::size_t recent = 1'000;

  /// What is counted together.
  struct Key {
    Hop hop = Hop::front;
    std::string server = {};
    std::string method = {};  ///< "other" for what no revision knows.
    std::string tool = {};    ///< Of `tools/call`: its name, or "other" for what no server is known to have.

    auto operator<=>(const Key&) const = default;
  };
  struct Series {
    Histogram took = {};
    std::map<Plane, std::uint64_t> errors = {};
  };

  void begins(session::Call& call, Sight& sight) override;
  void ended(session::Call& call, const Sight& sight) override;

  const std::map<Key, Series>& series() const { return series_; }
  /// What the server itself did, whichever tool was called; all zero for one that nobody has asked.
  ServerFigures figures(std::string_view server) const;

  std::size_t under_way(Hop hop) const { return under_way_[static_cast<std::size_t>(hop)]; }
  /// Clients that listen by `subscriptions/listen`, which is no call: it ends when they go.
  std::size_t listening() const { return listening_; }

 private:
  struct OfServer {
    ServerFigures totals = {};
    std::vector<float> last = {};  // Milliseconds; a ring once it is full.
    std::size_t next = 0;
  };

  /// What was counted last, and where.
  struct Last {
    std::string server = {};
    std::string method = {};
    std::string about = {};
    bool listed = false;
    Series* series = nullptr;
  };

  Series& series_of(const Sight& sight);
  void count_server(const Sight& sight);

  std::map<Key, Series> series_;
  std::array<Last, 2> last_ = {};
  std::map<std::string, OfServer, std::less<>> servers_;
  std::array<std::size_t, 2> under_way_ = {};
  std::size_t listening_ = 0;
};

}  // namespace fairlead::gateway
