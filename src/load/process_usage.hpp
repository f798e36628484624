#pragma once

#include <cstdint>
#include <optional>
#include <sys/types.h>

namespace fairlead::load {

/// Resource usage of a process and its descendants, from /proc.
struct ProcessUsage {
  double cpu_seconds = 0;      ///< Of processes that still run.
  std::uint64_t resident = 0;  ///< Bytes.
  unsigned processes = 0;
};

/// Nothing if the process does not exist.
std::optional<ProcessUsage> usage_of(pid_t process);

/// The local process that listens on a TCP port, if /proc shows it.
std::optional<pid_t> listener_on(std::uint16_t port);

/// CPU seconds of this process.
double own_cpu_seconds();

}  // namespace fairlead::load
