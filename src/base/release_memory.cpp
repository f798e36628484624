#include "base/release_memory.hpp"

#include <malloc.h>

namespace fairlead {

void (*release_cached_blocks)() = nullptr;

void release_memory() {
  if (release_cached_blocks != nullptr) release_cached_blocks();
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace fairlead
