#include <fairlead/json/scan.hpp>

#include <gtest/gtest.h>

#include "json/exact_text.hpp"

namespace fairlead::json::scan_test {
namespace {

ScanErrorCode code_of(std::string_view text, const ScanOptions& options = {}) {
  const ExactText exact(text);
  return scan(exact.view(), options).code;
}

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

TEST(Scan, AcceptsEveryKindOfValueAtTheTop) {
  for (const char* text :
       {"null", "true", "false", "0", "-0", "1.5e-3", "\"\"", "\"a\"", "[]", "{}", " [ ] ", "\t{\r\n}"}) {
    EXPECT_EQ(code_of(text), ScanErrorCode::none) << text;
  }
}

TEST(Scan, AcceptsNumbersOfAnySize) {
  for (const char* text :
       {"123456789012345678901234567890", "-9223372036854775809", "1e400", "1E-400", "1e99999999999",
        "0.00000000000000000000000000000000000000000001", "0e0", "-0.0", "1E+2", "[0]", "{\"a\":-1}"}) {
    EXPECT_EQ(code_of(text), ScanErrorCode::none) << text;
  }
}

TEST(Scan, RefusesInvalidNumbersAndLiterals) {
  for (const char* text : {"-",     "+1",   "01",       "-01",       "1.",          ".5",     "1e",    "1e+",  "1.e1",
                           "0x1",   "1_0",  "Infinity", "-Infinity", "NaN",         "tru",    "truee", "TRUE", "nul",
                           "nulll", "fals", "falsey",   "true1",     "1true",       "1a",     "--1",   "1-1",  "1.2.3",
                           "1e2e3", "1 2",  "[1 2]",    "[1\"a\"]",  "[true\"a\"]", "[1[2]]", "[1{}]", "1,",   "'a'"}) {
    EXPECT_EQ(code_of(text), ScanErrorCode::syntax) << text;
  }
}

TEST(Scan, RefusesBrokenStructure) {
  for (const char* text : {"[",
                           "]",
                           "{",
                           "}",
                           ",",
                           ":",
                           "[]]",
                           "[[]",
                           "{}}",
                           "{{}}",
                           "[}",
                           "{]",
                           "[1,]",
                           "[,1]",
                           "[,]",
                           "[1,,2]",
                           "{,}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{\"a\" 1}",
                           "{\"a\"::1}",
                           "{\"a\":1:2}",
                           "{a:1}",
                           "{1:1}",
                           "{null:1}",
                           "{[]:1}",
                           "[1:2]",
                           "[\"a\":1]",
                           "{\"a\",1}",
                           "{\"a\":1 \"b\":2}",
                           "[] []",
                           "{} {}",
                           "\"a\" \"b\"",
                           "\"a\"b",
                           "[\"a\"b]",
                           "{\"a\"b:1}",
                           "[1]1",
                           "[1],",
                           "{\"a\":1]",
                           "[{\"a\":1]}",
                           "[1}",
                           "/**/1",
                           "[1]//",
                           "[\x0C]",
                           "[1\x0C]",
                           "\x0B[1]",
                           "[1,\x1A]",
                           "{\"a\"\x1A 1}",
                           "\\",
                           "[\\]",
                           "{\\\"a\":1}",
                           "[1\\]",
                           "[tru\\e]"}) {
    EXPECT_EQ(code_of(text), ScanErrorCode::syntax) << text;
  }
}

TEST(Scan, ReportsEmptyText) {
  for (const char* text : {"", " ", "\n\n", "\t \r\n"}) EXPECT_EQ(code_of(text), ScanErrorCode::empty);
}

TEST(Scan, RefusesAByteOrderMark) {
  EXPECT_EQ(code_of("\xEF\xBB\xBF[]"), ScanErrorCode::syntax);
}

TEST(Scan, RefusesANulByteAnywhere) {
  using namespace std::string_view_literals;
  for (const auto text : {"\0"sv, "[\0]"sv, "[]\0"sv, "\"\0\""sv, "1\0"sv, "true\0"sv, "{\"a\0\":1}"sv}) {
    EXPECT_EQ(code_of(text), ScanErrorCode::syntax);
  }
}

TEST(Scan, RefusesRawControlCharactersInStringsButAcceptsDelete) {
  for (char c = 0; c < 0x20; ++c) {
    EXPECT_EQ(code_of(std::string("\"") + c + "\""), ScanErrorCode::syntax) << int{c};
    EXPECT_EQ(code_of(std::string("{\"a") + c + "\":1}"), ScanErrorCode::syntax) << int{c};
  }
  EXPECT_EQ(code_of("\"\x7F\""), ScanErrorCode::none);
}

TEST(Scan, AcceptsExactlyTheEscapesOfTheRfc) {
  for (int c = 0; c < 0x80; ++c) {
    const std::string text = std::string("\"\\") + static_cast<char>(c) + "0041\"";
    const bool legal = c != 0 && std::string_view("\"\\/bfnrtu").find(static_cast<char>(c)) != std::string_view::npos;
    EXPECT_EQ(code_of(text) == ScanErrorCode::none, legal) << c;
  }
}

TEST(Scan, RequiresFourHexadecimalDigits) {
  for (const char* text : {R"("\u")", R"("\u1")", R"("\u12")", R"("\u123")", R"("\u123g")", R"("\u 123")",
                           R"("\u+123")", R"("\u12\n")", R"("\U0041")", R"({"\u00":1})", R"(["\u123"])"}) {
    EXPECT_EQ(code_of(text), ScanErrorCode::syntax) << text;
  }
  for (const char* text : {R"("\u0000")", R"("\uABCD")", R"("\uabcd")", R"("\uFFFF")"})
    EXPECT_EQ(code_of(text), ScanErrorCode::none);
}

TEST(Scan, RefusesLoneSurrogates) {
  for (const char* text : {R"("\uD800")", R"("\uDBFF")", R"("\uDC00")", R"("\uDFFF")", R"("\uD800\uD800")",
                           R"("\uDC00\uD800")", R"("\uDC00\uDC00")", R"("\uD800x")", R"("\uD800\n")",
                           R"("\uD800\u0041")", R"("\uD800\uE000")", R"("\uD83D\uDE0")",
                           R"("\uD800)"
                           "\xED\xB0\x80\"",
                           R"({"\uD800":1})"}) {
    EXPECT_NE(code_of(text), ScanErrorCode::none) << text;
  }
  for (const char* text :
       {R"("\uD800\uDC00")", R"("\uDBFF\uDFFF")", R"("\ud83d\ude00\ud83d\ude00")", R"("\uD7FF\uE000")"}) {
    EXPECT_EQ(code_of(text), ScanErrorCode::none) << text;
  }
}

TEST(Scan, RefusesMalformedUtf8) {
  for (const char* bytes : {"\x80",
                            "\xBF",
                            "\xC0\x80",
                            "\xC1\xBF",
                            "\xC2",
                            "\xC2\x41",
                            "\xE0\x80\x80",
                            "\xE0\x9F\xBF",
                            "\xE1\x80",
                            "\xED\xA0\x80",
                            "\xED\xBF\xBF",
                            "\xEF\xBF",
                            "\xF0\x80\x80\x80",
                            "\xF0\x8F\xBF\xBF",
                            "\xF0\x90\x80",
                            "\xF4\x90\x80\x80",
                            "\xF5\x80\x80\x80",
                            "\xF8\x88\x80\x80\x80",
                            "\xFE",
                            "\xFF"}) {
    EXPECT_EQ(code_of(std::string("\"") + bytes + "\""), ScanErrorCode::not_utf8);
    EXPECT_EQ(code_of(std::string("\"") + std::string(63, 'a') + bytes + "\""), ScanErrorCode::not_utf8);
    EXPECT_NE(code_of(std::string("[1,") + bytes + "]"), ScanErrorCode::none);
  }
}

TEST(Scan, AcceptsTheLimitsOfUtf8) {
  for (const char* bytes : {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF",
                            "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(code_of(std::string("\"") + bytes + "\""), ScanErrorCode::none);
  }
  EXPECT_EQ(code_of("[\xC3\xA9]"), ScanErrorCode::syntax);
}

TEST(Scan, RefusesEveryTruncationOfAMessage) {
  const std::string message =
      R"({"jsonrpc":"2.0","id":"a\u00e9\\","method":"tools/call","params":{"name":"x","_meta":{},"n":[1.5e3,true,null,{"k":"é"}]}})";
  ASSERT_EQ(code_of(message), ScanErrorCode::none);
  for (std::size_t size = 0; size < message.size(); ++size) {
    EXPECT_NE(code_of(message.substr(0, size)), ScanErrorCode::none) << message.substr(0, size);
    MemberIndex index;
    const std::array<std::string_view, 2> names = {"params", "_meta"};
    EXPECT_TRUE(scan(ExactText(message.substr(0, size)).view(), {.indexed_names = names}, &index));
  }
}

TEST(Scan, LimitsNesting) {
  for (const std::size_t limit : {1U, 2U, 64U, 128U, 1000U, 1024U}) {
    EXPECT_EQ(code_of(nested(limit, '[', ']'), {.max_depth = limit}), ScanErrorCode::none);
    EXPECT_EQ(code_of(nested(limit + 1, '[', ']'), {.max_depth = limit}), ScanErrorCode::too_deep);
  }
  EXPECT_EQ(code_of("1", {.max_depth = 0}), ScanErrorCode::none);
  EXPECT_EQ(code_of("[]", {.max_depth = 0}), ScanErrorCode::too_deep);
}

TEST(Scan, LimitsNestingTo1024) {
  EXPECT_EQ(code_of(nested(1024, '[', ']'), {.max_depth = 100'000}), ScanErrorCode::none);
  EXPECT_EQ(code_of(nested(1025, '[', ']'), {.max_depth = 100'000}), ScanErrorCode::too_deep);
}

TEST(Scan, CountsObjectsAndArraysAlike) {
  std::string text = "1";
  for (int i = 0; i < 64; ++i) text = "[{\"a\":" + text + "}]";
  EXPECT_EQ(code_of(text), ScanErrorCode::none);
  EXPECT_EQ(code_of("[" + text + "]"), ScanErrorCode::too_deep);
}

TEST(Scan, ReportsTheOffsetOfAnError) {
  const auto error = scan(R"({"a": 1, "b": tru})");
  EXPECT_EQ(error.code, ScanErrorCode::syntax);
  EXPECT_EQ(error.offset, 14u);
  EXPECT_EQ(error.message(), "expected true, false, null, a number, a string, '[' or '{' at byte 14");
}

TEST(Scan, IgnoresDuplicateKeysInUnindexedObjects) {
  EXPECT_EQ(code_of(R"({"a":1,"a":2})"), ScanErrorCode::none);
}

}  // namespace
}  // namespace fairlead::json::scan_test
