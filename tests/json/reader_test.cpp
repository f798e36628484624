#include <fairlead/json/reader.hpp>

#include <gtest/gtest.h>

#include "json/exact_text.hpp"

namespace fairlead::json::reader_test {
namespace {

TEST(Reader, ReportsTheKindOfEveryValue) {
  EXPECT_EQ(Reader("null").kind(), Kind::null);
  EXPECT_EQ(Reader(" true").kind(), Kind::boolean);
  EXPECT_EQ(Reader("false").kind(), Kind::boolean);
  EXPECT_EQ(Reader("\n-1").kind(), Kind::number);
  EXPECT_EQ(Reader("0").kind(), Kind::number);
  EXPECT_EQ(Reader("\"\"").kind(), Kind::string);
  EXPECT_EQ(Reader("[]").kind(), Kind::array);
  EXPECT_EQ(Reader("{}").kind(), Kind::object);
}

TEST(Reader, ReadsAnObjectWithUnusualWhiteSpace) {
  const ExactText text(" { \"a\" :\t1 , \"b\"\n:[ true , null ],\"c\":\"x\" } ");
  Reader reader(text.view());
  std::string seen;
  reader.open();
  while (reader.more()) {
    seen += reader.key();
    seen += '=';
    seen += reader.skip();
    seen += ';';
  }
  EXPECT_EQ(seen, "a=1;b=[ true , null ];c=\"x\";");
}

// Strings are read in words and in blocks: an escape or the end may be at any position in either.
TEST(Reader, FindsTheEndOfAStringAtAnyOffset) {
  for (std::size_t length = 0; length < 80; ++length) {
    const std::string plain(length, 'x');
    for (std::size_t at = 0; at <= length; ++at) {
      for (const std::string_view escape : {"", R"(\")", R"(\\)", R"(\u0041)"}) {
        const auto inside = plain.substr(0, at) + std::string(escape) + plain.substr(at);
        const ExactText text("[\"" + inside + "\",7]");
        Reader reader(text.view());
        reader.open();
        ASSERT_TRUE(reader.more());
        Reader again = reader;
        EXPECT_EQ(reader.skip(), "\"" + inside + "\"");
        ASSERT_TRUE(reader.more());
        EXPECT_EQ(reader.number(), "7");
        const std::string unescaped = escape.empty() ? "" : escape == R"(\")" ? "\"" : escape == R"(\\)" ? "\\" : "A";
        std::string appended = "+", scratch;
        Reader third = again;
        again.string(appended);
        EXPECT_EQ(appended, "+" + plain.substr(0, at) + unescaped + plain.substr(at));
        EXPECT_EQ(third.text(scratch), plain.substr(0, at) + unescaped + plain.substr(at));
      }
    }
  }
}

TEST(Reader, FindsNothingInEmptyContainers) {
  for (const char* text : {"[]", "{}", "[ ]", "{\n}"}) {
    Reader reader(text);
    reader.open();
    EXPECT_FALSE(reader.more()) << text;
  }
}

TEST(Reader, StopsAtTheEndOfAContainer) {
  Reader reader("[[1,2],[],3]");
  reader.open();
  ASSERT_TRUE(reader.more());
  reader.open();
  EXPECT_TRUE(reader.more());
  EXPECT_EQ(reader.number(), "1");
  EXPECT_TRUE(reader.more());
  EXPECT_EQ(reader.number(), "2");
  EXPECT_FALSE(reader.more());
  EXPECT_TRUE(reader.more());
  EXPECT_EQ(reader.skip(), "[]");
  EXPECT_TRUE(reader.more());
  EXPECT_EQ(reader.number(), "3");
  EXPECT_FALSE(reader.more());
}

TEST(Reader, ReadsBooleansAndNulls) {
  Reader reader("[true,false,null]");
  reader.open();
  reader.more();
  EXPECT_TRUE(reader.boolean());
  reader.more();
  EXPECT_FALSE(reader.boolean());
  reader.more();
  reader.null();
  EXPECT_FALSE(reader.more());
}

TEST(Reader, UnescapesStrings) {
  const ExactText text(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00\u0000z")");
  Reader reader(text.view());
  std::string out = ">";
  reader.string(out);
  using namespace std::string_literals;
  EXPECT_EQ(out, ">\"\\/\b\f\n\r\tAé€😀\0z"s);
}

TEST(Reader, UnescapesTheLimitsOfUtf8) {
  const std::pair<const char*, const char*> pairs[] = {{R"("\u007f")", "\x7F"},
                                                       {R"("\u0080")", "\xC2\x80"},
                                                       {R"("\u07ff")", "\xDF\xBF"},
                                                       {R"("\u0800")", "\xE0\xA0\x80"},
                                                       {R"("\uffff")", "\xEF\xBF\xBF"},
                                                       {R"("\ud800\udc00")", "\xF0\x90\x80\x80"},
                                                       {R"("\udbff\udfff")", "\xF4\x8F\xBF\xBF"}};
  for (const auto& [text, bytes] : pairs) {
    std::string out;
    Reader(text).string(out);
    EXPECT_EQ(out, bytes) << text;
  }
}

TEST(Reader, UnescapesKeys) {
  Reader reader(R"({"\u006eame":1,"plain":2})");
  reader.open();
  reader.more();
  EXPECT_EQ(reader.key(), "name");
  reader.skip();
  reader.more();
  EXPECT_EQ(reader.key(), "plain");
}

TEST(Reader, SkipsBracketsAndQuotesInsideStrings) {
  const ExactText text(R"([{"a]":"}\"]","b":["[{",{"c":"\\"}]}, 7 ])");
  Reader reader(text.view());
  reader.open();
  reader.more();
  EXPECT_EQ(reader.skip(), R"({"a]":"}\"]","b":["[{",{"c":"\\"}]})");
  reader.more();
  EXPECT_EQ(reader.skip(), "7");
  EXPECT_FALSE(reader.more());
}

TEST(Reader, ReadsAScalarThatEndsWithTheText) {
  for (const char* token : {"12.5e3", "true", "null", "\"a\\\"\"", "[1]", "{\"a\":{}}"}) {
    const ExactText text(token);
    EXPECT_EQ(Reader(text.view()).skip(), token);
  }
}

TEST(Reader, LooksAheadThroughACopy) {
  Reader reader(R"({"\u0061":1,"b":2})");
  reader.open();
  reader.more();
  EXPECT_EQ(reader.key(), "a");
  Reader ahead = reader;
  ahead.skip();
  ahead.more();
  EXPECT_EQ(ahead.key(), "b");
  EXPECT_EQ(reader.skip(), "1");
}

TEST(Reader, SkipsTheLikelyObjectAndOthers) {
  for (const std::string_view likely : {R"({"a":1})", "7", ""}) {
    for (const std::string_view value : {R"({"a":1})", R"({"a":12})", "77", R"("7")"}) {
      const auto text = "[" + std::string(value) + " ,0]";
      Reader reader(text);
      reader.open();
      reader.more();
      EXPECT_EQ(reader.skip(likely), value) << likely;
      EXPECT_TRUE(reader.more());
      EXPECT_EQ(reader.skip(), "0");
    }
  }
}

TEST(Reader, KindPhraseHasAnArticle) {
  EXPECT_EQ(kind_phrase(Kind::null), "null");
  EXPECT_EQ(kind_phrase(Kind::string), "a string");
  EXPECT_EQ(kind_phrase(Kind::object), "an object");
}

}  // namespace
}  // namespace fairlead::json::reader_test
