#pragma once

#include <sys/types.h>

namespace fairlead::transport {

/// A helper process that ends the process groups of the children if this process dies without doing so, as after `kill
/// -9`: SIGTERM, then SIGKILL after two seconds. Reaches grandchildren unless they left the process group (setsid).
///
/// Started on first use. Thread-safe. Returns the descriptor for `report_group`; -1 if it cannot be started: then the
/// kernel still sends SIGTERM to the children themselves.
int child_reaper();

/// Reports the start of a process group, before `exec`, or its end, before it is reaped. Async-signal-safe; never
/// blocks.
void report_group(int reaper, pid_t group, bool runs) noexcept;

}  // namespace fairlead::transport
