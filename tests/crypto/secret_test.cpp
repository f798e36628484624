#include "crypto/secret.hpp"

#include <array>
#include <gtest/gtest.h>

namespace fairlead::crypto::secret_test {
namespace {

TEST(Secret, IsEqualOnlyToTheSameBytes) {
  EXPECT_TRUE(equal_in_constant_time("secret", "secret"));
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_FALSE(equal_in_constant_time("secret", "secreT"));
  EXPECT_FALSE(equal_in_constant_time("Secret", "secret"));
  EXPECT_FALSE(equal_in_constant_time("secret", "secret1"));
  EXPECT_FALSE(equal_in_constant_time("", "s"));
}

TEST(Secret, IsZeroAfterWiping) {
  std::string text = "secret";
  std::array<std::uint8_t, 3> bytes{1, 2, 3};
  wipe(text);
  wipe(bytes);
  EXPECT_EQ(text, std::string(6, '\0'));
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 3>{}));
}

}  // namespace
}  // namespace fairlead::crypto::secret_test
