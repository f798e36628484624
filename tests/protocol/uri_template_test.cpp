#include <fairlead/protocol/uri_template.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace fairlead::protocol::uri_template_test {
namespace {

using testing::ElementsAre;

std::optional<TemplateMatch> matched(std::string_view text, std::string_view uri) {
  const auto parsed = UriTemplate::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed->match(uri);
}

TEST(UriTemplate, ListsEachVariableOnceInOrder) {
  const auto parsed = UriTemplate::parse("{b}/{a,b}{?c*}").value();
  EXPECT_THAT(parsed.variables(), ElementsAre("b", "a", "c"));
  EXPECT_EQ(parsed.text(), "{b}/{a,b}{?c*}");
}

TEST(UriTemplate, ReportsThePositionOfAnError) {
  const auto parsed = UriTemplate::parse("x/{id");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().kind, ErrorKind::invalid);
  EXPECT_EQ(parsed.error().message, "URI template, byte 5: the expression has no '}'");
}

struct MatchCase {
  const char* text;
  const char* uri;
  TemplateMatch values;
};

class UriTemplateMatches : public testing::TestWithParam<MatchCase> {};

TEST_P(UriTemplateMatches, ReturnsTheValues) {
  const MatchCase& fit = GetParam();
  EXPECT_EQ(matched(fit.text, fit.uri), fit.values) << fit.text << " on " << fit.uri;
}

INSTANTIATE_TEST_SUITE_P(
    Simple, UriTemplateMatches,
    testing::Values(
        MatchCase{"test://template/{id}/data", "test://template/42/data", {{"id", "42"}}},
        MatchCase{"x://{id}", "x://a%20b%C3%A9", {{"id", "a b\xC3\xA9"}}},
        MatchCase{"x://{id}", "x://a\xC3\xA9", {{"id", "a\xC3\xA9"}}},
        MatchCase{"x://caf\xC3\xA9/{id}", "x://caf%c3%a9/1", {{"id", "1"}}},
        MatchCase{"x://{id}", "x://user@host:1;v=2", {{"id", "user@host:1;v=2"}}},
        MatchCase{"x://{id}", "x://a+b", {{"id", "a+b"}}}, MatchCase{"plain", "plain", {}}, MatchCase{"", "", {}},
        MatchCase{"{name}.{ext}", "archive.tar.gz", {{"name", "archive.tar"}, {"ext", "gz"}}},
        MatchCase{"{a}-{b}", "1-2-3", {{"a", "1-2"}, {"b", "3"}}},
        MatchCase{"{a}{b}", "xyz", {{"a", "xy"}, {"b", "z"}}}, MatchCase{"{a}{b}", "x%41", {{"a", "x"}, {"b", "A"}}},
        MatchCase{"{x,y}", "1,2", {{"x", "1"}, {"y", "2"}}}, MatchCase{"{x,y}", "1", {{"x", "1"}}},
        MatchCase{"{x,y}", "1,2,3", {{"x", "1"}, {"y", "2,3"}}}, MatchCase{"{x,y}", "1%2C2", {{"x", "1,2"}}},
        MatchCase{"{list*}", "a,b%2Cc", {{"list", "a,b%2Cc"}}}, MatchCase{"{x}/{x}", "1/1", {{"x", "1"}}}));

INSTANTIATE_TEST_SUITE_P(Reserved, UriTemplateMatches,
                         testing::Values(MatchCase{"file:///{+path}", "file:///a/b%20c.txt", {{"path", "a/b c.txt"}}},
                                         MatchCase{"file:///{+path}", "file:///a%2fb/c%25", {{"path", "a%2Fb/c%25"}}},
                                         MatchCase{"{+url}", "http://h/p?q=1#f", {{"url", "http://h/p?q=1#f"}}},
                                         MatchCase{"{+path}{?q}", "a/b?q=1", {{"path", "a/b"}, {"q", "1"}}},
                                         MatchCase{"{+path}{?q}{#f}", "a#x?y", {{"path", "a"}, {"f", "x?y"}}},
                                         MatchCase{"{+a}-{b}", "x-y/z-w", {{"a", "x-y/z"}, {"b", "w"}}},
                                         MatchCase{"{b}-{+a}", "x-y/z-w", {{"b", "x"}, {"a", "y/z-w"}}},
                                         MatchCase{"x{#f}", "x#a/b", {{"f", "a/b"}}}, MatchCase{"x{#f}", "x", {}},
                                         MatchCase{"x{#f}", "x#", {{"f", ""}}}));

INSTANTIATE_TEST_SUITE_P(LabelsAndPaths, UriTemplateMatches,
                         testing::Values(MatchCase{"{name}{.ext}", "a.txt", {{"name", "a"}, {"ext", "txt"}}},
                                         MatchCase{"{name}{.ext}", "a", {{"name", "a"}}},
                                         MatchCase{"x{.a,b}", "x.1.2.3", {{"a", "1"}, {"b", "2.3"}}},
                                         MatchCase{"x{.a}{.b}", "x.1.2.3", {{"a", "1"}, {"b", "2.3"}}},
                                         MatchCase{"x{/a,b}", "x/1/2", {{"a", "1"}, {"b", "2"}}},
                                         MatchCase{"x{/a,b}", "x/1", {{"a", "1"}}}, MatchCase{"x{/a,b}", "x", {}},
                                         MatchCase{"x{/a}", "x/", {{"a", ""}}},
                                         MatchCase{"x{/a*}", "x/1/2%2F3/4%20", {{"a", "1/2%2F3/4 "}}},
                                         MatchCase{"x{/a*,b}", "x/1/2/3", {{"a", "1/2"}, {"b", "3"}}},
                                         MatchCase{"x{/a*}{/b}", "x/1/2", {{"a", "1/2"}}},
                                         MatchCase{"x{/a}/y", "x/1/y", {{"a", "1"}}}, MatchCase{"x{/a}/y", "x/y", {}}));

INSTANTIATE_TEST_SUITE_P(Pairs, UriTemplateMatches,
                         testing::Values(MatchCase{"s{?q,n}", "s?q=a%26b&n=2", {{"q", "a&b"}, {"n", "2"}}},
                                         MatchCase{"s{?q,n}", "s?n=2&q=1", {{"q", "1"}, {"n", "2"}}},
                                         MatchCase{"s{?q,n}", "s?n=2", {{"n", "2"}}}, MatchCase{"s{?q,n}", "s", {}},
                                         MatchCase{"s{?q}", "s?q=", {{"q", ""}}},
                                         MatchCase{"s{?q}", "s?q", {{"q", ""}}},
                                         MatchCase{"s{?q}", "s?q=a=b/c?d", {{"q", "a=b/c?d"}}},
                                         MatchCase{"s?f=1{&x}", "s?f=1&x=2", {{"x", "2"}}},
                                         MatchCase{"s{?a}{&b}", "s?a=1&b=2", {{"a", "1"}, {"b", "2"}}},
                                         MatchCase{"s{?a}&z=1", "s?a=1&z=1", {{"a", "1"}}},
                                         MatchCase{"s{;x,y}/t", "s;y=2;x/t", {{"x", ""}, {"y", "2"}}},
                                         MatchCase{"s{?q}{#f}", "s?q=1#2", {{"q", "1"}, {"f", "2"}}},
                                         MatchCase{"s{?tag*}", "s?tag=a&tag=b%2Cc", {{"tag", "a,b%2Cc"}}},
                                         MatchCase{"s{?q,rest*}", "s?a=1&q=2&b=3", {{"q", "2"}, {"rest", "a=1,b=3"}}},
                                         MatchCase{"s?q={q}&r={r}", "s?q=1&r=2", {{"q", "1"}, {"r", "2"}}}));

INSTANTIATE_TEST_SUITE_P(Prefixes, UriTemplateMatches,
                         testing::Values(MatchCase{"{x:3}/{x}", "abc/abcd", {{"x", "abcd"}}},
                                         MatchCase{"{x}/{x:3}", "abcd/abc", {{"x", "abcd"}}},
                                         MatchCase{"{x:1}/{x:3}", "a/abc", {{"x", "abc"}}},
                                         MatchCase{"{x:2}{y}", "abcd", {{"x", "ab"}, {"y", "cd"}}},
                                         MatchCase{"{x:1}", "%C3%A9", {{"x", "\xC3\xA9"}}}));

using MismatchCase = std::pair<const char*, const char*>;
class UriTemplateMismatches : public testing::TestWithParam<MismatchCase> {};

TEST_P(UriTemplateMismatches, DoesNotMatch) {
  EXPECT_FALSE(matched(GetParam().first, GetParam().second)) << GetParam().first << " on " << GetParam().second;
}

INSTANTIATE_TEST_SUITE_P(
    All, UriTemplateMismatches,
    testing::Values(MismatchCase{"x/{id}", "x/a/b"}, MismatchCase{"x/{id}", "x/"}, MismatchCase{"x/{id}", "x"},
                    MismatchCase{"x/{id}", "y/1"}, MismatchCase{"x/{id}", "x/1?q=2"}, MismatchCase{"x/{id}", "x/1#f"},
                    MismatchCase{"x/{id}/y", "x/1/z"}, MismatchCase{"x/{id}", "X/1"}, MismatchCase{"x/{+p}", "x/"},
                    MismatchCase{"x/{id}", "x/%"}, MismatchCase{"x/{id}", "x/%4"}, MismatchCase{"x/{id}", "x/%G0"},
                    MismatchCase{"x/{id}", "x/%FF"}, MismatchCase{"x/{id}", "x/%C3"},
                    MismatchCase{"x/{id}", "x/%ED%A0%80"}, MismatchCase{"x/{id}", "x/a b"},
                    MismatchCase{"x/{id}", "x/{id}"}, MismatchCase{"x/{id}", "x/\xFF"}, MismatchCase{"x/{id}", "x/a\n"},
                    MismatchCase{"s{?q}", "s?z=1"}, MismatchCase{"s{?q}", "s?q=1&z=2"},
                    MismatchCase{"s{?q}", "s?q=1&q=2"}, MismatchCase{"s{?q}", "s?q=1&q=1"}, MismatchCase{"{a}{b}", "x"},
                    MismatchCase{"s{?q}", "s?"}, MismatchCase{"s{?q}", "s&q=1"}, MismatchCase{"s{/a,b}", "s/1/2/3"},
                    MismatchCase{"{x}/{x}", "1/2"}, MismatchCase{"{x:3}/{x}", "ab/abc"}, MismatchCase{"{x:3}", "abcd"},
                    MismatchCase{"{x:1}/{x:3}", "b/abc"}, MismatchCase{"plain", "plain2"}, MismatchCase{"", "x"}));

TEST(UriTemplateMatch, DecodesEncodedSlashes) {
  const auto one = matched("file:///{name}", "file:///..%2F..%2Fetc%2Fpasswd");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->at("name"), "../../etc/passwd");
  EXPECT_FALSE(is_safe_relative_path(one->at("name")));
}

TEST(IsSafeRelativePath, RefusesPathsThatLeaveTheDirectory) {
  for (const std::string_view value : {"..", "../x", "a/..", "a/../b", "/etc", "a\\b", "..\\x", "C:x", "%2E%2E/../x"}) {
    EXPECT_FALSE(is_safe_relative_path(value)) << value;
  }
  EXPECT_FALSE(is_safe_relative_path({"a\0b", 3}));
}

TEST(IsSafeRelativePath, AcceptsOrdinaryNames) {
  for (const std::string_view value : {"", "a", "a/b", "a..b", "...", ".hidden", "a/.", "a//b"}) {
    EXPECT_TRUE(is_safe_relative_path(value)) << value;
  }
}

/// Texts of all kinds of characters, short ones first.
std::string random_text(std::mt19937& random) {
  static constexpr std::string_view letters[] = {"a",
                                                 "Z",
                                                 "7",
                                                 "-",
                                                 ".",
                                                 "~",
                                                 "/",
                                                 "?",
                                                 "#",
                                                 "&",
                                                 "=",
                                                 ",",
                                                 ";",
                                                 "+",
                                                 "%",
                                                 " ",
                                                 "\"",
                                                 "{",
                                                 "}",
                                                 "|",
                                                 "\n",
                                                 "\xC3\xA9",
                                                 "\xE2\x82\xAC",
                                                 "\xF0\x9F\x98\x80"};
  std::string text;
  for (auto size = 1 + random() % 12; size > 0; --size) text += letters[random() % std::size(letters)];
  return text;
}

TEST(UriTemplateMatch, IsTheInverseOfExpansion) {
  std::mt19937 random(11);
  for (const char* text : {"x://{a}/{b}", "x:/{a}{/b,c}", "x:{a,b,c}", "x:{;a,b,c}", "x{?a,b,c}", "x?y=1{&a,b,c}",
                           "{a}{/b}{?c}", "x/{a}/{b}{#u}", "{a}/{b:9999}/{c}"}) {
    const auto parsed = UriTemplate::parse(text).value();
    for (int round = 0; round < 300; ++round) {
      TemplateVariables given;
      TemplateMatch expected;
      for (const auto& name : parsed.variables()) {
        // A fragment keeps reserved characters and cannot distinguish them from escapes.
        const std::string value = name == "u" ? "plain" : random_text(random);
        given.emplace(name, value);
        expected.emplace(name, value);
      }
      ASSERT_EQ(parsed.match(parsed.expand(given)), expected) << text << " → " << parsed.expand(given);
    }
  }
}

TEST(UriTemplateMatch, FindsEveryExpandedUri) {
  for (const char* uri : {"x/a%2Fb/c%20d", "x/%25", "x/a?b#c"}) {
    const auto parsed = UriTemplate::parse("x/{+p}").value();
    EXPECT_EQ(parsed.expand({{"p", parsed.match(uri).value().at("p")}}), uri);
  }
}

TEST(UriTemplateHostile, HandlesTenThousandVariables) {
  std::string path;
  std::string query = "x{?v0";
  TemplateVariables given;
  TemplateMatch expected;
  for (int i = 0; i < 10'000; ++i) {
    const std::string name = "v" + std::to_string(i);
    path += "/{" + name + "}";
    if (i > 0) query += "," + name;
    given.emplace(name, name);
    expected.emplace(name, name);
  }
  const auto by_path = UriTemplate::parse(path).value();
  const auto by_query = UriTemplate::parse(query + "}").value();
  EXPECT_EQ(by_path.match(by_path.expand(given)), expected);
  EXPECT_EQ(by_query.match(by_query.expand(given)), expected);
}

TEST(UriTemplateHostile, HandlesAMegabyteOfUri) {
  const std::string text(1 << 20, 'a');
  EXPECT_EQ(matched("x/{id}", "x/" + text)->at("id"), text);
  EXPECT_EQ(matched("{+p}/{id}", text + "/" + text)->at("id"), text);
  EXPECT_FALSE(matched("{a}!", text));
}

TEST(UriTemplateHostile, StopsOnAmbiguity) {
  const std::string text(1 << 20, 'a');
  std::string variables;
  for (int i = 0; i < 50; ++i) variables += "{v" + std::to_string(i) + "}a";
  EXPECT_FALSE(matched(variables + "!", text));
  EXPECT_FALSE(matched("{a}{b}{c}{d}{+e}{f}!", text));
}

TEST(UriTemplateHostile, HandlesTwoHundredThousandPairs) {
  std::string uri = "s?q=1";
  for (int i = 0; i < 200'000; ++i) uri += "&q=1";
  EXPECT_FALSE(matched("s{?q}", uri));
  EXPECT_TRUE(matched("s{?q*}", uri));
}

}  // namespace
}  // namespace fairlead::protocol::uri_template_test
