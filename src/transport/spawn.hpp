#pragma once

#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/transport/child.hpp>
#include <sys/types.h>

namespace fairlead::transport {

/// A started process and our ends of its pipes.
struct Spawned {
  pid_t pid = -1;
  Descriptor watch = {};  ///< pidfd: becomes readable when the process exits.
  Descriptor input = {};  ///< stdin, stdout and stderr of the process.
  Descriptor output = {};
  Descriptor errors = {};
};

Result<Spawned> spawn(const ChildOptions& options);

}  // namespace fairlead::transport
