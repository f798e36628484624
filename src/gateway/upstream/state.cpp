#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

UpstreamState Upstream::state() const {
  UpstreamState now{.pid = connection_.process(),
                    .in_flight = visits_.count(),
                    .waiting = calls_.waiting(),
                    .starts = starts_,
                    .failures = restarts_.total(),
                    .last_error = restarts_.last_error(),
                    .diagnosis = diagnosis_};
  if (connection_.is_open()) {
    now.state = "ready";
    now.revision = connection_.server().revision->name;
  } else if (starting_) {
    now.state = "starting";
  } else if (reached_) {
    // Nobody has called it since, so that nobody has noticed.
    now.state = "gone";
    now.last_error = loss_.empty() ? "it has gone" : loss_;
  } else {
    now.state = restarts_.in_a_row() > 0 ? "failing" : "idle";
  }
  return now;
}

}  // namespace fairlead::gateway
