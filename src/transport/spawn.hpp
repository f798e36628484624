#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/transport/child.hpp>
#include <fairlead/transport/descriptor.hpp>
#include <sys/types.h>

namespace fairlead::transport {

/// A process that has just been started, and our ends of its pipes.
struct Spawned {
  pid_t pid = -1;
  Descriptor watch = {};  ///< Becomes readable when the process ends.
  Descriptor input = {};  ///< Its stdin; and so on.
  Descriptor output = {};
  Descriptor errors = {};
};

Result<Spawned> spawn(const ChildOptions& options);

}  // namespace fairlead::transport
