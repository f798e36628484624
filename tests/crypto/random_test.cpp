#include "crypto/random.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace fairlead::crypto::random_test {
namespace {

TEST(Random, FillsMoreThanTheKernelGivesAtOnce) {
  std::vector<std::uint8_t> bytes(1000);
  ASSERT_TRUE(fill_random(bytes));
  // 50 zero bytes in a row have a probability of 2^-400.
  for (std::size_t at = 0; at < bytes.size(); at += 50) {
    EXPECT_FALSE(std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                             bytes.begin() + static_cast<std::ptrdiff_t>(at) + 50, [](auto byte) { return byte == 0; }))
        << at;
  }
}

TEST(Random, ReturnsTheRequestedNumberOfBytes) {
  EXPECT_EQ(random_bytes(0), "");
  EXPECT_EQ(random_bytes(300).size(), 300U);
  EXPECT_NE(random_bytes(16), random_bytes(16));
}

TEST(Random, DiffersEachTime) {
  std::array<std::uint8_t, 16> first{}, second{};
  ASSERT_TRUE(fill_random(first));
  ASSERT_TRUE(fill_random(second));
  EXPECT_NE(first, second);
}

}  // namespace
}  // namespace fairlead::crypto::random_test
