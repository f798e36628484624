#include "base/memory.hpp"

#include <malloc.h>

namespace fairlead {

void (*let_go_of_blocks)() = nullptr;

void give_memory_back() {
  if (let_go_of_blocks != nullptr) let_go_of_blocks();
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace fairlead
