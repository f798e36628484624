#pragma once

#include <fairlead/base/diagnosis.hpp>
#include <memory>
#include <sys/types.h>

#include "gateway/model/backend.hpp"

namespace fairlead::gateway {

/// The state of a connection, for operators.
struct UpstreamState {
  std::string state = {};  ///< "idle", "starting", "ready", "failing", or "gone" (exited unexpectedly).
  pid_t pid = 0;
  std::string revision = {};
  std::size_t in_flight = 0;
  std::size_t waiting = 0;  ///< Calls in the queue.
  std::size_t starts = 0;
  std::size_t failures = 0;
  std::string last_error = {};
  std::shared_ptr<const Diagnosis> diagnosis = {};  ///< Of the last failure; may be null.
};

/// A backend that owns connections or processes.
class ManagedBackend : public Backend {
 public:
  /// Disconnects, and waits for child processes to end. Afterwards calls fail with an error that says so. Await it
  /// before destruction, while the event loop runs.
  virtual Task<void> stop() = 0;
  /// One entry per connection.
  virtual std::vector<UpstreamState> states() const = 0;
  /// Allows the next start without delay.
  virtual void reset_backoff() {}
};

/// Stops a backend and keeps it alive until it has stopped.
inline Task<void> stop_backend(std::shared_ptr<ManagedBackend> backend) {
  co_await backend->stop();
}

}  // namespace fairlead::gateway
