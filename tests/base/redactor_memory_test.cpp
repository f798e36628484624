#include <fairlead/base/redactor.hpp>
#include <gtest/gtest.h>
#include <string>

#include "base/allocated_bytes.hpp"

namespace fairlead::test::redactor_memory_test {
namespace {

/// Bytes allocated in total per byte of a text.
double bytes_for_each(const Redactor& redactor, const std::string& text) {
  const auto before = allocated_bytes();
  EXPECT_FALSE(redactor.redact_values(text).empty());
  return static_cast<double>(allocated_bytes() - before) / static_cast<double>(text.size());
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
