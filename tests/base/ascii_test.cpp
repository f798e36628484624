#include "base/ascii.hpp"

#include <gtest/gtest.h>

namespace fairlead::ascii_test {
namespace {

TEST(Ascii, ReadsHexadecimalDigits) {
  EXPECT_EQ(ascii::hex_digit('7'), 7);
  EXPECT_EQ(ascii::hex_digit('a'), 10);
  EXPECT_EQ(ascii::hex_digit('F'), 15);
  for (const char c : {'g', 'G', '/', ':', '@', '`', '\0', '\xe4'}) EXPECT_EQ(ascii::hex_digit(c), -1) << c;
}

TEST(Ascii, LowersOnlyLetters) {
  EXPECT_EQ(ascii::lower('Z'), 'z');
  for (const char c : {'z', '[', '@', '5', '\xc4'}) EXPECT_EQ(ascii::lower(c), c);
}

}  // namespace
}  // namespace fairlead::ascii_test
