// The program's own operator new: each thread caches the small blocks that it freed.
//
// glibc caches seven blocks per size and none above 1 KB. Sixteen concurrent calls need more for their coroutines, and
// a tenth of a gateway's time went into malloc. A library must not choose this for its users, so only the program has
// it, and not in sanitizer builds, which have their own. Set FAIRLEAD_KEEP_BLOCKS=0 for heaptrack, valgrind and the
// like. Why not mimalloc: docs/decisions/0017.
#include <cstddef>

#ifdef __GLIBC__
#include <array>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>

#include "base/release_memory.hpp"

namespace {

// Size classes equal those of glibc's malloc, so that a cached block wastes no memory.
constexpr std::size_t step = 16;
constexpr std::size_t overhead = 8;
constexpr std::size_t size_classes = 128;
constexpr std::size_t max_cached = 64;

constexpr std::size_t size_class_of(std::size_t size) {
  return size <= step + overhead ? 1 : (size - overhead + step - 1) / step;
}

struct Block {
  Block* next;
};

struct FreeList {
  Block* first = nullptr;
  std::size_t free_slots = 0;  // 0 until the thread has a CacheOwner, which frees the blocks at its end.
};

thread_local constinit std::array<FreeList, size_classes + 1> free_lists = {};
thread_local constinit bool is_started = false;

bool cache_enabled() {
  static const bool enabled = [] {
    const char* value = std::getenv("FAIRLEAD_KEEP_BLOCKS");
    return value == nullptr || std::strcmp(value, "0") != 0;
  }();
  return enabled;
}

void flush_cache(std::size_t free_slots) {
  for (auto& list : free_lists) {
    while (auto* block = list.first) {
      list.first = block->next;
      std::free(block);
    }
    list.free_slots = free_slots;
  }
}

// Frees the cached blocks at the end of the thread.
struct CacheOwner {
  CacheOwner() { flush_cache(max_cached); }
  ~CacheOwner() { flush_cache(0); }
};

// Frees the blocks of this thread: a few cached blocks could pin many pages.
void release_free_lists() {
  if (free_lists[0].free_slots != 0) flush_cache(max_cached);
}

[[maybe_unused]] const bool is_registered = [] {
  fairlead::release_cached_blocks = &release_free_lists;
  return true;
}();

void start_cache() {
  is_started = true;
  if (cache_enabled()) thread_local const CacheOwner owner;
}

void* allocate_block(std::size_t size) {
  while (true) {
    if (void* block = std::malloc(size)) return block;
    const auto handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void cache_or_free(void* pointer, std::size_t size_class) {
  auto& list = free_lists[size_class];
  if (list.free_slots == 0) {
    if (!is_started) start_cache();
    return std::free(pointer);
  }
  --list.free_slots;
  list.first = new (pointer) Block{list.first};
}

}  // namespace

void* operator new(std::size_t size) {
  const auto size_class = size_class_of(size);
  if (size_class > size_classes) return allocate_block(size);
  auto& list = free_lists[size_class];
  auto* block = list.first;
  if (block == nullptr) return allocate_block(size_class * step + overhead);
  list.first = block->next;
  ++list.free_slots;
  return block;
}

void operator delete(void* pointer, std::size_t size) noexcept {
  if (pointer == nullptr) return;
  const auto size_class = size_class_of(size);
  if (size_class > size_classes) return std::free(pointer);
  cache_or_free(pointer, size_class);
}

void operator delete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  // The usable size of a block of ours is that of its size class.
  const auto size_class = (malloc_usable_size(pointer) - overhead) / step;
  if (size_class > size_classes) return std::free(pointer);
  cache_or_free(pointer, size_class);
}

#endif
