#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

UpstreamState Upstream::state() const {
  UpstreamState now{.pid = connection_.child_pid(),
                    .in_flight = active_calls_.count(),
                    .waiting = slots_.waiting(),
                    .starts = starts_,
                    .failures = backoff_.total_failures(),
                    .last_error = backoff_.last_error(),
                    .diagnosis = diagnosis_};
  if (connection_.is_open()) {
    now.state = "ready";
    now.revision = connection_.server().revision->name;
  } else if (starting_) {
    now.state = "starting";
  } else if (reached_) {
    // No call has noticed the disconnect yet.
    now.state = "gone";
    now.last_error = disconnect_reason_.empty() ? "the connection was closed" : disconnect_reason_;
  } else {
    const bool failing = backoff_.consecutive_failures() > 0 || !missing_credential_.empty();
    now.state = failing ? "failing" : "idle";
    if (!missing_credential_.empty()) now.last_error = missing_credential_;
  }
  return now;
}

}  // namespace fairlead::gateway
