#include "crypto/aead.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/hex.hpp"

namespace fairlead::crypto::aead_test {
namespace {

AeadKey key_of(std::string_view hex) {
  AeadKey key{};
  std::ranges::copy(*from_hex(hex), key.begin());
  return key;
}

const std::string zero_key(64, '0');
const std::string zero_nonce(24, '0');

// Test cases 13, 14 and 16 of the GCM specification that NIST SP 800-38D refers to: 256-bit keys and 96-bit nonces.
TEST(Aead, DecryptsTheTestCasesOfGcm) {
  EXPECT_EQ(decrypt(key_of(zero_key), *from_hex(zero_nonce + "530f8afbc74536b9a963b4f1c4cb738b"), ""), "");
  EXPECT_EQ(decrypt(key_of(zero_key),
                    *from_hex(zero_nonce + "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"), ""),
            std::string(16, '\0'));
  const auto key = key_of("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");
  const auto sealed = *from_hex(
      "cafebabefacedbaddecaf888"
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
      "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
      "76fc6ece0f4e1768cddf8853bb2d551b");
  const auto plain = *from_hex(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
  EXPECT_EQ(decrypt(key, sealed, *from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")), plain);
}

TEST(Aead, DecryptsWhatItEncrypted) {
  const AeadKey key{1, 2, 3};
  for (const std::string plain : {"", "a", "sixteen bytes ..", "a text of more than one block"}) {
    EXPECT_EQ(decrypt(key, encrypt(key, plain, "for you"), "for you"), plain);
  }
}

TEST(Aead, UsesANewNonceEachTime) {
  const AeadKey key{};
  EXPECT_NE(encrypt(key, "plain", "").substr(0, nonce_size), encrypt(key, "plain", "").substr(0, nonce_size));
}

TEST(Aead, RefusesAnyChange) {
  const AeadKey key{};
  const auto sealed = encrypt(key, "plain", "for you");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    auto changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(decrypt(key, changed, "for you")) << i;
  }
  EXPECT_FALSE(decrypt(key, sealed, "for me"));
  EXPECT_FALSE(decrypt(AeadKey{1}, sealed, "for you"));
}

TEST(Aead, RefusesATextShorterThanNonceAndTag) {
  EXPECT_FALSE(decrypt(AeadKey{}, std::string(nonce_size + tag_size - 1, '\0'), ""));
  EXPECT_FALSE(decrypt(AeadKey{}, "", ""));
}

}  // namespace
}  // namespace fairlead::crypto::aead_test
