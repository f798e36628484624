#include "base/frame_pool.hpp"

#include <array>
#include <cstdint>
#include <fairlead/base/task.hpp>
#include <new>

namespace fairlead::detail {

namespace {

constexpr std::size_t class_size = 64, classes = 64, max_free = 64;

struct FreeFrame {
  FreeFrame* next;
};

/// Freed frames of one size. `room`: how many more it takes; 0 unless the thread keeps freed frames.
struct FreeList {
  FreeFrame* first = nullptr;
  std::uint32_t room = 0;
};

// Without a destructor, so that it may be used after those of the thread: frames of a loop that is a static variable
// are freed that late.
thread_local constinit std::array<FreeList, classes> free_lists{};

/// While it exists, the thread keeps freed frames.
struct FrameKeeper {
  FrameKeeper() {
    for (auto& list : free_lists) list.room = max_free;
  }
  ~FrameKeeper() {
    for (auto& list : free_lists) {
      list.room = 0;
      while (auto* frame = list.first) {
        list.first = frame->next;
        ::operator delete(frame);
      }
    }
  }
};

constexpr std::size_t class_of(std::size_t size) {
  return (size - 1) / class_size;
}

void* allocate_new(std::size_t size) {
  thread_local const FrameKeeper keeper;
  return ::operator new(size);
}

}  // namespace

void* allocate_frame(std::size_t size) {
  const auto index = class_of(size);
  if (!pools_frames || index >= classes) return ::operator new(size);
  auto& list = free_lists[index];
  if (list.first == nullptr) return allocate_new((index + 1) * class_size);
  ++list.room;
  return std::exchange(list.first, list.first->next);
}

void free_frame(void* frame, std::size_t size) noexcept {
  const auto index = class_of(size);
  if (!pools_frames || index >= classes || free_lists[index].room == 0) return ::operator delete(frame);
  auto& list = free_lists[index];
  --list.room;
  list.first = ::new (frame) FreeFrame{list.first};
}

}  // namespace fairlead::detail
