#pragma once

#include <fairlead/base/result.hpp>
#include <memory>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

#include "load/byte_line.hpp"
#include "transport/spawn.hpp"

namespace fairlead::load {

/// A server on stdio that we have started. What it prints on stderr is read and dropped.
///
/// It ends when this goes: asked by the end of its input, then told.
class ChildServer {
 public:
  static Result<std::unique_ptr<ChildServer>> start(const std::vector<std::string>& command);
  ChildServer(const ChildServer&) = delete;
  ChildServer& operator=(const ChildServer&) = delete;
  ~ChildServer();

  pid_t pid() const { return spawned_.pid; }
  /// Its pipes, once. Whoever has them closes them before this goes.
  ByteLine take_line();

 private:
  explicit ChildServer(transport::Spawned spawned);
  bool has_ended(int milliseconds) const;

  transport::Spawned spawned_;
  std::jthread stderr_reader_;
};

}  // namespace fairlead::load
