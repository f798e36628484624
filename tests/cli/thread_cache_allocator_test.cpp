// Linked with the program's operator new, except in sanitizer builds, where these tests run with the sanitizer's.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <malloc.h>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "base/release_memory.hpp"

namespace fairlead::cli {
namespace {

struct Piece {
  unsigned char* at;
  std::size_t size;
};

std::vector<Piece> take_all_sizes(std::size_t rounds) {
  std::vector<Piece> pieces;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t size = 0; size < 2500; size += 7) {
      auto* at = static_cast<unsigned char*>(::operator new(size));
      std::memset(at, static_cast<int>(size % 251), size);
      pieces.push_back({at, size});
    }
  }
  return pieces;
}

void free_all(const std::vector<Piece>& pieces) {
  bool sized = false;
  for (const auto& [at, size] : pieces) {
    const auto is_untouched = [size](unsigned char byte) { return byte == size % 251; };
    ASSERT_TRUE(std::all_of(at, at + size, is_untouched)) << "of " << size;
    sized = !sized;
    if (sized) {
      ::operator delete(at, size);
    } else {
      ::operator delete(at);
    }
  }
}

TEST(ThreadCacheAllocatorTest, NeverHandsOutABlockTwice) {
  for (int round = 0; round < 3; ++round) free_all(take_all_sizes(80));
}

TEST(ThreadCacheAllocatorTest, AcceptsBlocksFreedByAnotherThread) {
  std::vector<Piece> pieces;
  std::thread([&] { pieces = take_all_sizes(3); }).join();
  free_all(pieces);
  std::thread([taken = take_all_sizes(3)] { free_all(taken); }).join();
}

TEST(ThreadCacheAllocatorTest, AllocatesZeroBytes) {
  void* first = ::operator new(0);
  void* second = ::operator new(0);
  EXPECT_NE(first, second);
  ::operator delete(first);
  ::operator delete(second, std::size_t{0});
  ::operator delete(nullptr);
  ::operator delete(nullptr, std::size_t{16});
}

#if defined(__GLIBC__) && defined(FAIRLEAD_KEEPS_BLOCKS)

TEST(ThreadCacheAllocatorTest, ReusesTheLastFreedBlock) {
  for (const std::size_t size : {1u, 24u, 25u, 1100u, 2056u}) {
    ::operator delete(::operator new(size), size);
    void* first = ::operator new(size);
    ::operator delete(first, size);
    EXPECT_EQ(::operator new(size), first) << size;
    ::operator delete(first);
  }
}

std::size_t in_use() {
  return ::mallinfo2().uordblks;
}

TEST(ThreadCacheAllocatorTest, ReleasesBlocksOnRequest) {
  free_all(take_all_sizes(2));
  const auto before = in_use();
  release_memory();
  EXPECT_LT(in_use() + 100 * 1024, before);
}

TEST(ThreadCacheAllocatorTest, ReleasesBlocksAtThreadExit) {
  std::thread([] { free_all(take_all_sizes(2)); }).join();
  const auto before = in_use();
  for (int round = 0; round < 20; ++round) std::thread([] { free_all(take_all_sizes(2)); }).join();
  EXPECT_LT(in_use(), before + 64 * 1024);
}

#endif

}  // namespace
}  // namespace fairlead::cli
