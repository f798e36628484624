#include <fairlead/base/utf8.hpp>

#include <gtest/gtest.h>

namespace fairlead::utf8_test {
namespace {

static_assert(is_utf8("") && is_utf8("plain"));

TEST(Utf8, AcceptsTheFirstAndLastCharacterOfEachLength) {
  for (const char* text : {"\x01", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
    EXPECT_EQ(utf8_length(text, 0), std::string_view(text).size());
  }
}

TEST(Utf8, RefusesOverlongForms) {
  for (const char* text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF"}) EXPECT_FALSE(is_utf8(text));
}

TEST(Utf8, RefusesSurrogatesAndCodePointsBeyondUnicode) {
  for (const char* text : {"\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Utf8, RefusesTruncatedAndStrayBytes) {
  for (const char* text :
       {"\x80", "a\xBF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC3(", "\xE2(\xA1", "\xF0\x9F(\x80"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Utf8, WritesCodePointsOfEachLength) {
  std::string text;
  for (const char32_t point : {U'a', U'\u00e9', U'\u20ac', U'\U0001F600'}) append_utf8(text, point);
  EXPECT_EQ(text, "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
}

}  // namespace
}  // namespace fairlead::utf8_test
