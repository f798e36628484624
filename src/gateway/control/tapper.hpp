#pragma once

#include <cstddef>
#include <deque>
#include <fairlead/base/loop.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "base/bell.hpp"
#include "gateway/control/tap_filter.hpp"

namespace fairlead::gateway {

/// A line as it leaves the gateway; several may wait for the same.
using TapText = std::shared_ptr<const std::string>;

struct TapLimits {
  std::size_t lines = 2000;
  std::size_t bytes = 8UL * 1024 * 1024;
};

/// Somebody who listens: what has passed and was not told yet. Nobody waits for him: of what he has no room for, only
/// the number is kept.
class Tapper {
 public:
  struct Told {
    TapText text;
    std::size_t lost = 0;  ///< How many before this one.
  };

  Tapper(TapFilter filter, TapLimits limits, const Loop& loop)
      : filter_(std::move(filter)), limits_(limits), bell_(loop.executor) {}

  /// `text` makes it, if it is wanted.
  void hear(const TapLine& line, const std::function<TapText()>& text);

  std::optional<Told> next();
  /// How many were lost since `next` last said so.
  std::size_t lost() const { return lost_; }
  /// Rings when there is something.
  Bell& bell() { return bell_; }

 private:
  using Beginning = std::tuple<std::string, LineKind, std::uint64_t>;  // Its room, what it is, and its number.

  static std::optional<Beginning> begun_by(const TapLine& line);
  static std::optional<Beginning> ended_by(const TapLine& line);
  void hold(Beginning of, TapText text);
  void push(TapText text);

  TapFilter filter_;
  TapLimits limits_;
  Bell bell_;
  std::deque<Told> waiting_;
  std::size_t bytes_ = 0;
  std::size_t lost_ = 0;
  std::map<Beginning, TapText> held_;  // Calls under way that are shown if they end as the filter wants.
};

}  // namespace fairlead::gateway
