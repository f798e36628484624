#include "base/allocated_bytes.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace fairlead::test {
namespace {

std::atomic<std::size_t> allocated = 0;

}  // namespace

std::size_t allocated_bytes() {
  return allocated;
}

}  // namespace fairlead::test

#ifndef FAIRLEAD_COUNTS_NO_ALLOCATIONS

// Replaces operator new in this program and counts the allocated bytes.
void* operator new(std::size_t size) {
  fairlead::test::allocated += size;
  if (void* made = std::malloc(size > 0 ? size : 1)) return made;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

#endif
