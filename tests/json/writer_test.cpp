#include <fairlead/json/writer.hpp>

#include <cmath>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/scan.hpp>
#include <gtest/gtest.h>
#include <limits>

namespace fairlead::json::writer_test {
namespace {

std::string as_json(std::string_view text) {
  std::string out;
  write_string(out, text);
  return out;
}

template <class Number>
std::string written(Number number) {
  std::string out;
  write_number(out, number);
  return out;
}

TEST(WriteString, EscapesOnlyWhereRequired) {
  EXPECT_EQ(as_json("a/é😀\x7F"), "\"a/é😀\x7F\"");
  EXPECT_EQ(as_json("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  using namespace std::string_view_literals;
  EXPECT_EQ(as_json("\0\x01\x1F"sv), R"("\u0000\u0001\u001f")");
  EXPECT_EQ(as_json(""), "\"\"");
}

TEST(WriteString, ReplacesEachByteThatIsNotUtf8) {
  EXPECT_EQ(as_json("a\xFF"
                    "b"),
            "\"a\uFFFDb\"");
  EXPECT_EQ(as_json("\xC3"), "\"\uFFFD\"");
  EXPECT_EQ(as_json("\xED\xA0\x80"), "\"\uFFFD\uFFFD\uFFFD\"");
  EXPECT_EQ(as_json("\xF0\x9F\x98"), "\"\uFFFD\uFFFD\uFFFD\"");
  EXPECT_EQ(as_json("\xC0\xAF\xC3\xA9"), "\"\uFFFD\uFFFDé\"");
  EXPECT_EQ(as_json("\xF4\x90\x80\x80"), "\"\uFFFD\uFFFD\uFFFD\uFFFD\"");
}

TEST(WriteString, FindsEveryByteAtEveryOffset) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string odd(1, static_cast<char>(byte));
    const auto alone = as_json(odd);
    const auto inside = alone.substr(1, alone.size() - 2);
    for (std::size_t at = 0; at <= 100; ++at) {
      const std::string before(at, 'a');
      const std::string after(100 - at, 'b');
      ASSERT_EQ(as_json(before + odd + after), '"' + before + inside + after + '"') << byte << " at " << at;
    }
  }
}

TEST(WriteString, WritesValidJsonForEveryPairOfBytes) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes = {static_cast<char>(first), static_cast<char>(second)};
      const auto text = as_json(bytes);
      ASSERT_FALSE(scan(text)) << first << " " << second;
      std::string back;
      Reader(text).string(back);
      if (back.find("\uFFFD") == std::string::npos) {
        ASSERT_EQ(back, bytes);
      }
    }
  }
}

TEST(WriteNumber, WritesIntegersInFull) {
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(WriteNumber, WritesDoublesThatRoundTrip) {
  for (const double number : {0.0, -0.0, 0.1, 1.0 / 3, 1e21, 1e-7, 5e-324, 2.2250738585072014e-308,
                              1.7976931348623157e308, 9007199254740993.0, -123.456}) {
    const auto text = written(number);
    ASSERT_FALSE(scan(text)) << text;
    const double back = std::stod(text == "5e-324" ? "0" : text);
    if (text != "5e-324") {
      EXPECT_EQ(std::signbit(back), std::signbit(number)) << text;
    }
    if (text != "5e-324") {
      EXPECT_EQ(back, number) << text;
    }
  }
  EXPECT_EQ(written(5e-324), "5e-324");
  EXPECT_EQ(written(-0.0), "-0");
}

TEST(WriteNumber, WritesNullForNonFiniteNumbers) {
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written(std::nan("")), "null");
}

TEST(ObjectWriter, WritesCommasAndTheClosingBrace) {
  std::string out;
  {
    ObjectWriter object(out);
    object.text("a", "x\n").raw("b\"", "[1]");
    object.plain_member("c") += "null";
    ObjectWriter(object.member("d")).raw("e", "1");
  }
  EXPECT_EQ(out, R"({"a":"x\n","b\"":[1],"c":null,"d":{"e":1}})");
}

TEST(ObjectWriter, AppendsPlainNames) {
  std::string out = "[";
  {
    ObjectWriter object(out);
    object.plain_member("a") += '1';
    object.plain_member("") += '2';
    object.plain_member("longer than what fits into a short string") += '3';
  }
  EXPECT_EQ(out, R"([{"a":1,"":2,"longer than what fits into a short string":3})");
}

TEST(ObjectWriter, WritesAnEmptyObject) {
  std::string out;
  {
    const ObjectWriter object(out);
  }
  EXPECT_EQ(out, "{}");
}

}  // namespace
}  // namespace fairlead::json::writer_test
