#pragma once

#include <cstdint>
#include <optional>
#include <sys/types.h>

namespace fairlead::load {

/// What a process and all that it has started have used, as the kernel counts it.
struct Usage {
  double cpu_seconds = 0;      ///< Without processes that have ended meanwhile.
  std::uint64_t resident = 0;  ///< Bytes.
  unsigned processes = 0;
};

/// Nothing if there is no such process.
std::optional<Usage> usage_of(pid_t process);

/// Who listens on that port of this machine, if we may know.
std::optional<pid_t> listener_on(std::uint16_t port);

/// CPU seconds of this process.
double own_cpu_seconds();

}  // namespace fairlead::load
