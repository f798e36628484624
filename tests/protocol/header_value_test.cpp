#include <fairlead/protocol/header_value.hpp>

#include <gtest/gtest.h>

namespace fairlead::protocol::header_value_test {
namespace {

TEST(HeaderValue, SendsPrintableAsciiVerbatim_K_08) {
  for (const char* value : {"", "add", "a b", "=?base64?abc", "abc?=", "=?BASE64?abc?=", "=?base64 abc?=", "~!"}) {
    EXPECT_FALSE(needs_sentinel(value)) << value;
    EXPECT_EQ(encode_header_value(value), value);
    EXPECT_EQ(decode_header_value(value), value);
  }
}

TEST(HeaderValue, EncodesOtherValues_K_08) {
  EXPECT_EQ(encode_header_value(" a"), "=?base64?IGE=?=");
  EXPECT_EQ(encode_header_value("a "), "=?base64?YSA=?=");
  EXPECT_EQ(encode_header_value("a\tb"), "=?base64?YQli?=");
  EXPECT_EQ(encode_header_value("a\r\nX: y"), "=?base64?YQ0KWDogeQ==?=");
  EXPECT_EQ(encode_header_value("caf\xC3\xA9"), "=?base64?Y2Fmw6k=?=");
  EXPECT_EQ(encode_header_value("\x7F"), "=?base64?fw==?=");
}

TEST(HeaderValue, EncodesValuesThatLookLikeASentinel_K_08) {
  EXPECT_EQ(encode_header_value("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
  EXPECT_EQ(decode_header_value(encode_header_value("=?base64?=")), "=?base64?=");
}

TEST(HeaderValue, ReadsAnEmptySentinelAsEmpty) {
  EXPECT_EQ(decode_header_value("=?base64?"
                                "?="),
            "");
}

TEST(HeaderValue, RoundTripsEveryAsciiPair) {
  for (char first = 0; first >= 0 && first < 0x7F; ++first) {
    for (char second = 0; second >= 0 && second < 0x7F; ++second) {
      const std::string value{first, second};
      ASSERT_EQ(decode_header_value(encode_header_value(value)), value);
    }
  }
}

TEST(HeaderValue, RefusesNonStrictBase64_K_08) {
  for (const char* value : {"=?base64?SGVsbG8?=", "=?base64?SGVsbG8==?=", "=?base64?SGVs bG8=?=", "=?base64?SGVsbG9=?=",
                            "=?base64?-_-_?=", "=?base64?SGVsbG8=\n?=", "=?base64?=?=",
                            "=?base64??"
                            "?="}) {
    const auto text = decode_header_value(value);
    ASSERT_FALSE(text) << value;
    EXPECT_EQ(text.error().kind, ErrorKind::malformed);
  }
}

TEST(HeaderValue, RefusesBase64ThatIsNotUtf8) {
  EXPECT_FALSE(decode_header_value("=?base64?//8=?="));
}

TEST(HeaderValue, RefusesRawBytesThatMustBeEncoded) {
  for (const char* value : {"caf\xC3\xA9", "a\tb", "a\x01"}) EXPECT_FALSE(decode_header_value(value));
}

}  // namespace
}  // namespace fairlead::protocol::header_value_test
