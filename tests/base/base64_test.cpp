#include <fairlead/base/base64.hpp>

#include <gtest/gtest.h>
#include <random>
#include <utility>

namespace fairlead::base64_test {
namespace {

TEST(Base64, MatchesTheTestVectorsOfTheRfc) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes);
  }
}

TEST(Base64, WritesTheUrlFormWithoutPadding) {
  EXPECT_EQ(base64_encode("\xFB\xEF\xFF\xFE", Base64::url), "--___g");
  EXPECT_EQ(base64_decode("--___g", Base64::url), "\xFB\xEF\xFF\xFE");
}

TEST(Base64, RoundTripsEveryLengthInBothForms) {
  std::mt19937 random(7);
  std::string bytes;
  for (int size = 0; size < 300; ++size) {
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
    EXPECT_EQ(base64_decode(base64_encode(bytes, Base64::url), Base64::url), bytes);
    bytes += static_cast<char>(random());
  }
}

TEST(Base64, RefusesWrongPadding) {
  for (const char* text :
       {"SGVsbG8", "Zg", "Zg=", "Zg===", "Zm8", "Zm9v=", "=", "====", "Zm9v====", "Z===", "Zg==Zg=="}) {
    EXPECT_FALSE(base64_decode(text)) << text;
  }
}

TEST(Base64, RefusesPaddingInTheUrlForm) {
  for (const char* text : {"Zg==", "Zm8=", "Z", "Zm9vY"}) EXPECT_FALSE(base64_decode(text, Base64::url)) << text;
}

TEST(Base64, RefusesNonZeroTrailingBits) {
  for (const char* text : {"Zh==", "Zm9="}) EXPECT_FALSE(base64_decode(text)) << text;
  for (const char* text : {"Zh", "Zm9"}) EXPECT_FALSE(base64_decode(text, Base64::url)) << text;
}

TEST(Base64, RefusesTheOtherAlphabetWithThePosition) {
  EXPECT_EQ(base64_decode("Zm9v-m9v").error().message, "base64: byte 4 is not a digit of the alphabet");
  EXPECT_FALSE(base64_decode("Zm9/", Base64::url));
}

TEST(Base64, RefusesEveryInvalidCharacter) {
  int accepted = 0;
  for (int byte = 0; byte < 256; ++byte) {
    accepted += base64_decode(std::string("Zm9") + static_cast<char>(byte)).has_value();
  }
  // 64 digits; with `=` the trailing bits of `9` are not zero.
  EXPECT_EQ(accepted, 64);
}

}  // namespace
}  // namespace fairlead::base64_test
