#pragma once

namespace fairlead {

/// Returns free heap memory to the system. Slow: call it after many connections have closed.
void release_memory();

/// Hook of a program with its own block cache: frees the cached blocks of the calling thread. Set it before threads
/// start.
extern void (*release_cached_blocks)();

}  // namespace fairlead
