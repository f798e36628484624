#pragma once

#include <fairlead/transport/child.hpp>
#include <sys/types.h>
#include <thread>

#include "load/raw_connection.hpp"
#include "transport/spawn.hpp"

namespace fairlead::load {

/// A child process that serves on stdio. Its stderr is discarded.
///
/// The destructor closes its input, then sends SIGTERM and SIGKILL, with a timeout before each.
class ChildServer : NonCopyable {
 public:
  static Result<std::unique_ptr<ChildServer>> start(const transport::ChildOptions& options);
  ~ChildServer();

  pid_t pid() const { return spawned_.pid; }
  /// Its pipes. Call once; close them before this object is destroyed.
  RawConnection take_connection();

 private:
  explicit ChildServer(transport::Spawned spawned);
  bool has_ended(int milliseconds) const;

  transport::Spawned spawned_;
  std::jthread stderr_reader_;
};

}  // namespace fairlead::load
