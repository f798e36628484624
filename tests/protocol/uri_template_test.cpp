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

TEST(UriTemplate, NamesEachVariableOnceInOrder) {
  const auto parsed = UriTemplate::parse("{b}/{a,b}{?c*}").value();
  EXPECT_THAT(parsed.variables(), ElementsAre("b", "a", "c"));
  EXPECT_EQ(parsed.text(), "{b}/{a,b}{?c*}");
}

TEST(UriTemplate, SaysWhereATemplateIsWrong) {
  const auto parsed = UriTemplate::parse("x/{id");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().kind, ErrorKind::invalid);
  EXPECT_EQ(parsed.error().message, "URI template, byte 5: the expression has no '}'");
}

struct Fit {
  const char* text;
  const char* uri;
  TemplateMatch values;
};

class UriTemplateFit : public testing::TestWithParam<Fit> {};

TEST_P(UriTemplateFit, ReturnsTheValues) {
  const Fit& fit = GetParam();
  EXPECT_EQ(matched(fit.text, fit.uri), fit.values) << fit.text << " on " << fit.uri;
}

INSTANTIATE_TEST_SUITE_P(
    Simple, UriTemplateFit,
    testing::Values(Fit{"test://template/{id}/data", "test://template/42/data", {{"id", "42"}}},
                    Fit{"x://{id}", "x://a%20b%C3%A9", {{"id", "a b\xC3\xA9"}}},
                    Fit{"x://{id}", "x://a\xC3\xA9", {{"id", "a\xC3\xA9"}}},
                    Fit{"x://caf\xC3\xA9/{id}", "x://caf%c3%a9/1", {{"id", "1"}}},
                    Fit{"x://{id}", "x://user@host:1;v=2", {{"id", "user@host:1;v=2"}}},
                    Fit{"x://{id}", "x://a+b", {{"id", "a+b"}}}, Fit{"plain", "plain", {}}, Fit{"", "", {}},
                    Fit{"{name}.{ext}", "archive.tar.gz", {{"name", "archive.tar"}, {"ext", "gz"}}},
                    Fit{"{a}-{b}", "1-2-3", {{"a", "1-2"}, {"b", "3"}}},
                    Fit{"{a}{b}", "xyz", {{"a", "xy"}, {"b", "z"}}}, Fit{"{a}{b}", "x%41", {{"a", "x"}, {"b", "A"}}},
                    Fit{"{x,y}", "1,2", {{"x", "1"}, {"y", "2"}}}, Fit{"{x,y}", "1", {{"x", "1"}}},
                    Fit{"{x,y}", "1,2,3", {{"x", "1"}, {"y", "2,3"}}}, Fit{"{x,y}", "1%2C2", {{"x", "1,2"}}},
                    Fit{"{list*}", "a,b%2Cc", {{"list", "a,b%2Cc"}}}, Fit{"{x}/{x}", "1/1", {{"x", "1"}}}));

INSTANTIATE_TEST_SUITE_P(Reserved, UriTemplateFit,
                         testing::Values(Fit{"file:///{+path}", "file:///a/b%20c.txt", {{"path", "a/b c.txt"}}},
                                         Fit{"file:///{+path}", "file:///a%2fb/c%25", {{"path", "a%2Fb/c%25"}}},
                                         Fit{"{+url}", "http://h/p?q=1#f", {{"url", "http://h/p?q=1#f"}}},
                                         Fit{"{+path}{?q}", "a/b?q=1", {{"path", "a/b"}, {"q", "1"}}},
                                         Fit{"{+path}{?q}{#f}", "a#x?y", {{"path", "a"}, {"f", "x?y"}}},
                                         Fit{"{+a}-{b}", "x-y/z-w", {{"a", "x-y/z"}, {"b", "w"}}},
                                         Fit{"{b}-{+a}", "x-y/z-w", {{"b", "x"}, {"a", "y/z-w"}}},
                                         Fit{"x{#f}", "x#a/b", {{"f", "a/b"}}}, Fit{"x{#f}", "x", {}},
                                         Fit{"x{#f}", "x#", {{"f", ""}}}));

INSTANTIATE_TEST_SUITE_P(
    LabelsAndPaths, UriTemplateFit,
    testing::Values(Fit{"{name}{.ext}", "a.txt", {{"name", "a"}, {"ext", "txt"}}},
                    Fit{"{name}{.ext}", "a", {{"name", "a"}}}, Fit{"x{.a,b}", "x.1.2.3", {{"a", "1"}, {"b", "2.3"}}},
                    Fit{"x{.a}{.b}", "x.1.2.3", {{"a", "1"}, {"b", "2.3"}}},
                    Fit{"x{/a,b}", "x/1/2", {{"a", "1"}, {"b", "2"}}}, Fit{"x{/a,b}", "x/1", {{"a", "1"}}},
                    Fit{"x{/a,b}", "x", {}}, Fit{"x{/a}", "x/", {{"a", ""}}},
                    Fit{"x{/a*}", "x/1/2%2F3/4%20", {{"a", "1/2%2F3/4 "}}},
                    Fit{"x{/a*,b}", "x/1/2/3", {{"a", "1/2"}, {"b", "3"}}}, Fit{"x{/a*}{/b}", "x/1/2", {{"a", "1/2"}}},
                    Fit{"x{/a}/y", "x/1/y", {{"a", "1"}}}, Fit{"x{/a}/y", "x/y", {}}));

INSTANTIATE_TEST_SUITE_P(
    Pairs, UriTemplateFit,
    testing::Values(Fit{"s{?q,n}", "s?q=a%26b&n=2", {{"q", "a&b"}, {"n", "2"}}},
                    Fit{"s{?q,n}", "s?n=2&q=1", {{"q", "1"}, {"n", "2"}}}, Fit{"s{?q,n}", "s?n=2", {{"n", "2"}}},
                    Fit{"s{?q,n}", "s", {}}, Fit{"s{?q}", "s?q=", {{"q", ""}}}, Fit{"s{?q}", "s?q", {{"q", ""}}},
                    Fit{"s{?q}", "s?q=a=b/c?d", {{"q", "a=b/c?d"}}}, Fit{"s?f=1{&x}", "s?f=1&x=2", {{"x", "2"}}},
                    Fit{"s{?a}{&b}", "s?a=1&b=2", {{"a", "1"}, {"b", "2"}}},
                    Fit{"s{?a}&z=1", "s?a=1&z=1", {{"a", "1"}}}, Fit{"s{;x,y}/t", "s;y=2;x/t", {{"x", ""}, {"y", "2"}}},
                    Fit{"s{?q}{#f}", "s?q=1#2", {{"q", "1"}, {"f", "2"}}},
                    Fit{"s{?tag*}", "s?tag=a&tag=b%2Cc", {{"tag", "a,b%2Cc"}}},
                    Fit{"s{?q,rest*}", "s?a=1&q=2&b=3", {{"q", "2"}, {"rest", "a=1,b=3"}}},
                    Fit{"s?q={q}&r={r}", "s?q=1&r=2", {{"q", "1"}, {"r", "2"}}}));

INSTANTIATE_TEST_SUITE_P(Prefixes, UriTemplateFit,
                         testing::Values(Fit{"{x:3}/{x}", "abc/abcd", {{"x", "abcd"}}},
                                         Fit{"{x}/{x:3}", "abcd/abc", {{"x", "abcd"}}},
                                         Fit{"{x:1}/{x:3}", "a/abc", {{"x", "abc"}}},
                                         Fit{"{x:2}{y}", "abcd", {{"x", "ab"}, {"y", "cd"}}},
                                         Fit{"{x:1}", "%C3%A9", {{"x", "\xC3\xA9"}}}));

using Misfit = std::pair<const char*, const char*>;
class UriTemplateMisfit : public testing::TestWithParam<Misfit> {};

TEST_P(UriTemplateMisfit, IsNoMatch) {
  EXPECT_FALSE(matched(GetParam().first, GetParam().second)) << GetParam().first << " on " << GetParam().second;
}

INSTANTIATE_TEST_SUITE_P(
    All, UriTemplateMisfit,
    testing::Values(Misfit{"x/{id}", "x/a/b"}, Misfit{"x/{id}", "x/"}, Misfit{"x/{id}", "x"}, Misfit{"x/{id}", "y/1"},
                    Misfit{"x/{id}", "x/1?q=2"}, Misfit{"x/{id}", "x/1#f"}, Misfit{"x/{id}/y", "x/1/z"},
                    Misfit{"x/{id}", "X/1"}, Misfit{"x/{+p}", "x/"}, Misfit{"x/{id}", "x/%"}, Misfit{"x/{id}", "x/%4"},
                    Misfit{"x/{id}", "x/%G0"}, Misfit{"x/{id}", "x/%FF"}, Misfit{"x/{id}", "x/%C3"},
                    Misfit{"x/{id}", "x/%ED%A0%80"}, Misfit{"x/{id}", "x/a b"}, Misfit{"x/{id}", "x/{id}"},
                    Misfit{"x/{id}", "x/\xFF"}, Misfit{"x/{id}", "x/a\n"}, Misfit{"s{?q}", "s?z=1"},
                    Misfit{"s{?q}", "s?q=1&z=2"}, Misfit{"s{?q}", "s?q=1&q=2"}, Misfit{"s{?q}", "s?q=1&q=1"},
                    Misfit{"{a}{b}", "x"}, Misfit{"s{?q}", "s?"}, Misfit{"s{?q}", "s&q=1"},
                    Misfit{"s{/a,b}", "s/1/2/3"}, Misfit{"{x}/{x}", "1/2"}, Misfit{"{x:3}/{x}", "ab/abc"},
                    Misfit{"{x:3}", "abcd"}, Misfit{"{x:1}/{x:3}", "b/abc"}, Misfit{"plain", "plain2"},
                    Misfit{"", "x"}));

TEST(UriTemplateMatch, KeepsEncodedSlashesVisibleToThoseWhoAsk) {
  const auto one = matched("file:///{name}", "file:///..%2F..%2Fetc%2Fpasswd");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->at("name"), "../../etc/passwd");
  EXPECT_FALSE(stays_inside(one->at("name")));
}

TEST(StaysInside, RefusesEveryWayOut) {
  for (const std::string_view value : {"..", "../x", "a/..", "a/../b", "/etc", "a\\b", "..\\x", "C:x", "%2E%2E/../x"}) {
    EXPECT_FALSE(stays_inside(value)) << value;
  }
  EXPECT_FALSE(stays_inside({"a\0b", 3}));
}

TEST(StaysInside, TakesOrdinaryNames) {
  for (const std::string_view value : {"", "a", "a/b", "a..b", "...", ".hidden", "a/.", "a//b"}) {
    EXPECT_TRUE(stays_inside(value)) << value;
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
        // A fragment keeps reserved characters and so cannot tell them from escapes.
        const std::string value = name == "u" ? "plain" : random_text(random);
        given.emplace(name, value);
        expected.emplace(name, value);
      }
      ASSERT_EQ(parsed.match(parsed.expand(given)), expected) << text << " → " << parsed.expand(given);
    }
  }
}

TEST(UriTemplateMatch, FindsWhatAnyMatchExpandsTo) {
  for (const char* uri : {"x/a%2Fb/c%20d", "x/%25", "x/a?b#c"}) {
    const auto parsed = UriTemplate::parse("x/{+p}").value();
    EXPECT_EQ(parsed.expand({{"p", parsed.match(uri).value().at("p")}}), uri);
  }
}

TEST(UriTemplateHostile, TakesTenThousandVariables) {
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

TEST(UriTemplateHostile, TakesAMegabyteOfUri) {
  const std::string text(1 << 20, 'a');
  EXPECT_EQ(matched("x/{id}", "x/" + text)->at("id"), text);
  EXPECT_EQ(matched("{+p}/{id}", text + "/" + text)->at("id"), text);
  EXPECT_FALSE(matched("{a}!", text));
}

TEST(UriTemplateHostile, GivesUpOnAmbiguityInsteadOfHanging) {
  const std::string text(1 << 20, 'a');
  std::string variables;
  for (int i = 0; i < 50; ++i) variables += "{v" + std::to_string(i) + "}a";
  EXPECT_FALSE(matched(variables + "!", text));
  EXPECT_FALSE(matched("{a}{b}{c}{d}{+e}{f}!", text));
}

TEST(UriTemplateHostile, EndsOnTwoHundredThousandPairs) {
  std::string uri = "s?q=1";
  for (int i = 0; i < 200'000; ++i) uri += "&q=1";
  EXPECT_FALSE(matched("s{?q}", uri));
  EXPECT_TRUE(matched("s{?q*}", uri));
}

}  // namespace
}  // namespace fairlead::protocol::uri_template_test
