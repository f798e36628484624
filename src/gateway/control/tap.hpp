#pragma once

#include <fairlead/base/loop.hpp>
#include <memory>
#include <string>
#include <vector>

#include "gateway/control/tapper.hpp"
#include "gateway/record/hiding.hpp"

namespace fairlead::gateway {

/// Where all that passes between clients and the gateway can be listened to. On one loop.
class Tap : public std::enable_shared_from_this<Tap> {
 public:
  explicit Tap(Loop loop);

  /// Whether anybody listens: all that this costs while nobody does.
  bool listened() const { return !tappers_.empty(); }

  /// Listens for as long as it is kept.
  std::shared_ptr<Tapper> listen(TapFilter filter, TapLimits limits = {});

  /// Something has passed.
  void tell(const TapLine& line, bool is_metadata) const;

  /// Nothing leaves without it.
  Hiding& hiding() { return hiding_; }
  const Loop& loop() const { return loop_; }

 private:
  Loop loop_;
  Hiding hiding_;
  std::vector<Tapper*> tappers_;
};

}  // namespace fairlead::gateway
