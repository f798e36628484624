// The program's own operator new: small blocks are kept by the thread that freed them.
//
// The C library keeps seven of a size, and none above 1 KB. Sixteen calls at a time need more of both for their
// coroutines, and a tenth of a gateway's time went into finding the rest. A library must not choose this for its
// users, so only the program has it; a build for a sanitizer, which has its own, has not. FAIRLEAD_KEEP_BLOCKS=0 is for
// tools that watch each allocation.
#include <cstddef>

#ifdef __GLIBC__
#include <array>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>

#include "base/memory.hpp"

namespace {

// The sizes that malloc itself hands out: keeping costs no byte more.
constexpr std::size_t step = 16;
constexpr std::size_t overhead = 8;
constexpr std::size_t sizes = 128;
constexpr std::size_t most_kept = 64;

constexpr std::size_t place(std::size_t size) {
  return size <= step + overhead ? 1 : (size - overhead + step - 1) / step;
}

struct Block {
  Block* next;
};

struct Shelf {
  Block* first = nullptr;
  std::size_t room = 0;  // Nothing is kept before a thread has said that it will clear up.
};

thread_local constinit std::array<Shelf, sizes + 1> shelves = {};
thread_local constinit bool is_tended = false;

bool may_keep() {
  static const bool may = [] {
    const char* word = std::getenv("FAIRLEAD_KEEP_BLOCKS");
    return word == nullptr || std::strcmp(word, "0") != 0;
  }();
  return may;
}

void empty_shelves(std::size_t room) {
  for (auto& shelf : shelves) {
    while (auto* block = shelf.first) {
      shelf.first = block->next;
      std::free(block);
    }
    shelf.room = room;
  }
}

// Gives back at the end of its thread what the thread has kept.
struct Keeper {
  Keeper() { empty_shelves(most_kept); }
  ~Keeper() { empty_shelves(0); }
};

// A few blocks here and there would hold on to as many pages.
void let_go() {
  if (shelves[0].room != 0) empty_shelves(most_kept);
}

[[maybe_unused]] const bool is_known = [] {
  fairlead::let_go_of_blocks = &let_go;
  return true;
}();

void tend_shelves() {
  is_tended = true;
  if (may_keep()) thread_local const Keeper keeper;
}

void* find_block(std::size_t size) {
  while (true) {
    if (void* block = std::malloc(size)) return block;
    const auto handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void keep(void* pointer, std::size_t at) {
  auto& shelf = shelves[at];
  if (shelf.room == 0) {
    if (!is_tended) tend_shelves();
    return std::free(pointer);
  }
  --shelf.room;
  shelf.first = new (pointer) Block{shelf.first};
}

}  // namespace

void* operator new(std::size_t size) {
  const auto at = place(size);
  if (at > sizes) return find_block(size);
  auto& shelf = shelves[at];
  auto* block = shelf.first;
  if (block == nullptr) return find_block(at * step + overhead);
  shelf.first = block->next;
  ++shelf.room;
  return block;
}

void operator delete(void* pointer, std::size_t size) noexcept {
  if (pointer == nullptr) return;
  const auto at = place(size);
  if (at > sizes) return std::free(pointer);
  keep(pointer, at);
}

void operator delete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  // Of what came from malloc as it is, the size that it has now; of ours, the size of its place.
  const auto at = (malloc_usable_size(pointer) - overhead) / step;
  if (at > sizes) return std::free(pointer);
  keep(pointer, at);
}

#endif
