#pragma once

#include <sys/types.h>

namespace fairlead::transport {

/// A small process of our own that ends the process groups of our children when this process is gone without having
/// done so itself, as after `kill -9`: SIGTERM, and SIGKILL two seconds later. It reaches grandchildren too, unless
/// they have left the group of their parent (setsid).
///
/// Started on first use, from any thread. Returns the descriptor that the functions below take; -1 if it cannot be
/// started: then the kernel still sends SIGTERM to the children themselves.
int child_reaper();

/// Reports a process group that has begun, before `exec`, or one that is about to be reaped. Async-signal safe. Never
/// blocks.
void report_group(int reaper, pid_t group, bool runs) noexcept;

}  // namespace fairlead::transport
