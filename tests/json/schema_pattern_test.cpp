#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/schema/regex.hpp"

namespace fairlead::json::schema::schema_pattern_test {
namespace {

using ::testing::HasSubstr;

bool found(std::string_view pattern, std::string_view text) {
  const auto compiled = compile_pattern(pattern);
  EXPECT_TRUE(compiled) << pattern << ' ' << compiled.error().reason;
  return compiled && matches(**compiled, text);
}

std::string reason(std::string_view pattern) {
  const auto compiled = compile_pattern(pattern);
  return compiled ? "compiles" : compiled.error().reason;
}

TEST(SchemaPattern, MatchesAnywhere) {
  EXPECT_TRUE(found("b", "abc"));
  EXPECT_FALSE(found("^b", "abc"));
}

TEST(SchemaPattern, DollarMatchesOnlyAtTheEndOfTheText) {
  EXPECT_FALSE(found("^abc$", "abc\n"));
  EXPECT_FALSE(found("^b$", "a\nb\nc"));
}

TEST(SchemaPattern, InterpretsClassesLikeEcmaScript) {
  EXPECT_FALSE(found(R"(^\d$)", "߀"));
  EXPECT_TRUE(found(R"(^[\s]$)", "\u00a0"));
  EXPECT_FALSE(found(R"(^[\S]$)", "\ufeff"));
  EXPECT_TRUE(found(R"(^[^\D5]$)", "4"));
  EXPECT_TRUE(found(R"(^[\W]+$)", "é-[^`{"));
  EXPECT_TRUE(found("^[^]$", "\n"));
  EXPECT_FALSE(found("a[]", "a"));
  EXPECT_TRUE(found("^[[:alpha:]]$", "a]"));
  EXPECT_TRUE(found(R"(^[\w-.]+$)", "a-."));
  EXPECT_TRUE(found("^[a-]+$", "-a"));
  EXPECT_TRUE(found(R"(^[\b]$)", "\b"));
}

TEST(SchemaPattern, DotMatchesEverythingButLineEnds) {
  EXPECT_FALSE(found("^.$", "\u2028"));
  EXPECT_FALSE(found("^.$", "\r"));
  EXPECT_TRUE(found("^.$", "💩"));
}

TEST(SchemaPattern, InterpretsEscapes) {
  EXPECT_TRUE(found(R"(^\u00e9\x41\cA\0\/\-\@$)", std::string_view("éA\x01\0/-@", 8)));
  EXPECT_TRUE(found(R"(^\u{1F4A9}\uD83D\uDCA9$)", "💩💩"));
  EXPECT_TRUE(found(R"(^[\uD83D\uDCA8-\uD83D\uDCAA]$)", "💩"));
}

TEST(SchemaPattern, SupportsUnicodeProperties) {
  EXPECT_TRUE(found(R"(^\p{Letter}\p{Lu}\P{L}$)", "éA1"));
  EXPECT_TRUE(found(R"(^[\p{Script=Greek}\p{sc=Cyrl}]+$)", "αж"));
  EXPECT_TRUE(found(R"(^\p{General_Category=Decimal_Number}\p{ASCII}$)", "4x"));
  EXPECT_THAT(reason(R"(\p{Emoji})"), HasSubstr("Emoji"));
}

TEST(SchemaPattern, InterpretsGroups) {
  EXPECT_TRUE(found("^(?<year>\\d{4})-(?:a|b)(c)?$", "2020-b"));
  EXPECT_TRUE(found("^a{,2}{$", "a{,2}{"));
  EXPECT_TRUE(found("^(?:)*?a+?$", "aa"));
}

TEST(SchemaPattern, RefusesPatternsThatNeedBacktracking) {
  for (const auto* pattern : {"(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", R"((a)\1)", R"((?<n>a)\k<n>)"}) {
    EXPECT_THAT(reason(pattern), HasSubstr("linear time")) << pattern;
  }
}

TEST(SchemaPattern, RefusesInvalidPatterns) {
  for (const auto* pattern : {"(",      ")",     "[a",     "*",     "a**",       "^*",      "(?",
                              "(?i)a",  "(?<n",  R"(\)",   R"(\a)", R"(\Z)",     R"(\u12)", R"(\u{110000})",
                              R"(\u{)", R"(\p)", R"(\p{)", "[b-a]", R"(\x{41})", "a{2,1}"}) {
    EXPECT_NE(reason(pattern), "compiles") << pattern;
  }
}

}  // namespace
}  // namespace fairlead::json::schema::schema_pattern_test
