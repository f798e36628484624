#include "base/uri.hpp"

#include <gtest/gtest.h>

namespace fairlead::uri_test {
namespace {

TEST(Uri, ResolvesTheExamplesOfRfc3986) {
  constexpr auto base = "http://a/b/c/d;p?q";
  const auto resolved = [&](std::string_view reference) { return resolve_uri(base, reference); };
  EXPECT_EQ(resolved("g:h"), "g:h");
  EXPECT_EQ(resolved("g"), "http://a/b/c/g");
  EXPECT_EQ(resolved("./g/"), "http://a/b/c/g/");
  EXPECT_EQ(resolved("/g"), "http://a/g");
  EXPECT_EQ(resolved("//g"), "http://g");
  EXPECT_EQ(resolved("?y"), "http://a/b/c/d;p?y");
  EXPECT_EQ(resolved(""), "http://a/b/c/d;p?q");
  EXPECT_EQ(resolved(".."), "http://a/b/");
  EXPECT_EQ(resolved("../g"), "http://a/b/g");
  EXPECT_EQ(resolved("../../../g"), "http://a/g");
  EXPECT_EQ(resolved("g/../h"), "http://a/b/c/h");
  EXPECT_EQ(resolved("/../g"), "http://a/g");
  EXPECT_EQ(resolved("g#s"), "http://a/b/c/g");
  EXPECT_EQ(resolved("g;x=1/../y"), "http://a/b/c/y");
  EXPECT_EQ(resolved("g?y/../x"), "http://a/b/c/g?y/../x");
}

TEST(Uri, ResolvesAgainstARelativeBase) {
  EXPECT_EQ(resolve_uri("", "other.json"), "other.json");
  EXPECT_EQ(resolve_uri("dir/a.json", "b.json"), "dir/b.json");
  EXPECT_EQ(resolve_uri("/dir/a.json", "../b.json"), "/b.json");
}

TEST(Uri, KeepsAUrnAndTheSpellingOfEscapes) {
  EXPECT_EQ(resolve_uri("http://a/b", "urn:uuid:1-2"), "urn:uuid:1-2");
  EXPECT_EQ(resolve_uri("urn:uuid:1-2", "#/x"), "urn:uuid:1-2");
  EXPECT_EQ(resolve_uri("http://a/b", "%7e%c3%bc"), "http://a/%7e%c3%bc");
}

TEST(Uri, DecodesPercentEscapes) {
  EXPECT_EQ(percent_decoded("a%20b%2Fc"), "a b/c");
  EXPECT_EQ(percent_decoded("%zz%2"), "%zz%2");
}

}  // namespace
}  // namespace fairlead::uri_test
