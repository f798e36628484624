#include "base/hex.hpp"

#include <gtest/gtest.h>

namespace fairlead::hex_test {
namespace {

TEST(Hex, IsReadInAnyCase) {
  EXPECT_EQ(from_hex("00ff7FAa"), std::string("\x00\xff\x7f\xaa", 4));
  EXPECT_EQ(from_hex(""), "");
}

TEST(Hex, IsWrittenInLowerCaseAndReadBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(to_hex("\xAB\x01"), "ab01");
  EXPECT_EQ(from_hex(to_hex(all)), all);
}

TEST(Hex, OddLengthsAndOtherCharactersAreRefused) {
  for (const auto* text : {"0", "abc", "0g", "-1", "0x", " 0", "0\xc3"})
    EXPECT_EQ(from_hex(text), std::nullopt) << text;
}

}  // namespace
}  // namespace fairlead::hex_test
