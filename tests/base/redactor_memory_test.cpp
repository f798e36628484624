// ThreadSanitizer links its own operator new, so that allocations cannot be counted there.
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define FAIRLEAD_COUNTS_NO_ALLOCATIONS
#endif
#endif

#ifndef FAIRLEAD_COUNTS_NO_ALLOCATIONS

#include <atomic>
#include <cstdlib>
#include <fairlead/base/redactor.hpp>
#include <gtest/gtest.h>
#include <new>
#include <string>

namespace fairlead::test::redactor_memory_test {
namespace {

std::atomic<std::size_t> allocated_bytes = 0;

}  // namespace
}  // namespace fairlead::test::redactor_memory_test

// Replaces operator new in this program and counts the allocated bytes.
void* operator new(std::size_t size) {
  fairlead::test::redactor_memory_test::allocated_bytes += size;
  if (void* made = std::malloc(size > 0 ? size : 1)) return made;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

namespace fairlead::test::redactor_memory_test {
namespace {

/// Bytes allocated in total per byte of a text.
double bytes_for_each(const Redactor& redactor, const std::string& text) {
  const auto before = allocated_bytes.load();
  EXPECT_FALSE(redactor.redact_values(text).empty());
  return static_cast<double>(allocated_bytes.load() - before) / static_cast<double>(text.size());
}

std::string repeated(std::string_view piece, std::size_t size) {
  std::string text;
  while (text.size() < size) text += piece;
  return text;
}

constexpr std::size_t big = 1'000'000;

TEST(RedactorMemory, Finding_S17_MemoryDoesNotGrowPerByte) {
  Redactor redactor;
  ASSERT_TRUE(redactor.add_secret("correct horse battery staple"));
  for (const std::string_view piece : {"plain text of no interest ", R"(a line\nand \"another\" one )", "a%20b%2Fc "}) {
    // One allocation is the result; the others are buffers of fixed size, allocated once per part.
    EXPECT_LT(bytes_for_each(redactor, repeated(piece, big)), 8) << piece;
  }
}

TEST(RedactorMemory, Finding_S17_MemoryGrowsWithRedactedSpansOnly) {
  Redactor redactor;
  ASSERT_TRUE(redactor.add_secret("correct horse battery staple"));
  EXPECT_LT(bytes_for_each(redactor, repeated("correct horse battery staple, ", big)), 8);
}

}  // namespace
}  // namespace fairlead::test::redactor_memory_test

#endif
