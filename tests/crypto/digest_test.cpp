#include "crypto/digest.hpp"

#include <gtest/gtest.h>

#include "base/hex.hpp"

namespace fairlead::crypto::digest_test {
namespace {

constexpr std::string_view two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

// FIPS 180-4: the example values that NIST publishes, and the empty message.
TEST(Sha256, DigestsTheExamplesOfNist) {
  EXPECT_EQ(sha256(""), *from_hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
  EXPECT_EQ(sha256("abc"), *from_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  EXPECT_EQ(sha256(two_blocks), *from_hex("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            *from_hex("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

TEST(Sha256, IsWrittenInHexAsSha256sumDoes) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, InHexHas64DigitsInAnyCase) {
  EXPECT_TRUE(is_sha256_hex(sha256_hex("abc")));
  EXPECT_TRUE(is_sha256_hex(std::string(64, 'F')));
  EXPECT_FALSE(is_sha256_hex(std::string(63, 'f')));
  EXPECT_FALSE(is_sha256_hex(std::string(65, 'f')));
  EXPECT_FALSE(is_sha256_hex(std::string(63, 'f') + 'g'));
}

TEST(Sha1, DigestsTheExamplesOfNist) {
  EXPECT_EQ(sha1(""), *from_hex("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
  EXPECT_EQ(sha1("abc"), *from_hex("a9993e364706816aba3e25717850c26c9cd0d89d"));
  EXPECT_EQ(sha1(two_blocks), *from_hex("84983e441c3bd26ebaae4aa1f95129e5e54670f1"));
  EXPECT_EQ(sha1(std::string(1'000'000, 'a')), *from_hex("34aa973cd4c4daa4f61eeb2bdbad27316534016f"));
}

TEST(Sha256, DigestsZeroBytes) {
  EXPECT_NE(sha256(std::string_view("a\0b", 3)), sha256("a"));
}

}  // namespace
}  // namespace fairlead::crypto::digest_test
