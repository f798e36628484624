#include "skills/frontmatter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::skills::frontmatter_test {
namespace {

using testing::HasSubstr;

/// The JSON of the front matter, or `<line>: <reason>`.
std::string read_file(const std::string& file) {
  const auto read = read_frontmatter(file);
  return read ? std::string(read->json.text()) : std::to_string(read.error().line) + ": " + read.error().reason;
}

std::string read(const std::string& yaml) {
  return read_file("---\n" + yaml + "\n---\nbody\n");
}

TEST(Frontmatter, ResolvesScalarsByTheCoreSchema) {
  EXPECT_EQ(read("a: 2026-07-28\nb: yes\nc: 1.10\nd: on\ne: 12:30"),
            R"({"a":"2026-07-28","b":"yes","c":1.1,"d":"on","e":"12:30"})");
  EXPECT_EQ(read("a: true\nb: False\nc: null\nd: ~\ne:\nf: NULL"),
            R"({"a":true,"b":false,"c":null,"d":null,"e":null,"f":null})");
  EXPECT_EQ(read("a: +12\nb: 007\nc: -0\nd: 0x1F\ne: 0o17\nf: 0b1"),
            R"({"a":12,"b":7,"c":-0,"d":31,"e":15,"f":"0b1"})");
  EXPECT_EQ(read("a: .5\nb: 1.\nc: -1.50\nd: 2.5E+1\ne: .\nf: 1e\ng: 1_000"),
            R"({"a":0.5,"b":1,"c":-1.5,"d":25,"e":".","f":"1e","g":"1_000"})");
  EXPECT_EQ(read("a: .inf\nb: -.Inf\nc: .nan\nd: 1e999\ne: 1e-999\nf: -.nan"),
            R"({"a":null,"b":null,"c":null,"d":null,"e":0,"f":"-.nan"})");
  EXPECT_EQ(read("a: 123456789012345678\nb: 123456789012345678901234567890"),
            R"({"a":123456789012345678,"b":1.2345678901234568e+29})");
}

TEST(Frontmatter, QuotedAndTaggedScalarsAreText) {
  EXPECT_EQ(read(R"(a: "1")"
                 "\nb: 'true'\nc: !!str 12\nd: \"\""),
            R"({"a":"1","b":"true","c":"12","d":""})");
  EXPECT_THAT(read("a: !!int \"1\""), HasSubstr("2: is not valid YAML here: the tag"));
  EXPECT_THAT(read("a: 1\nb: !thing [1]"), HasSubstr("3: is not valid YAML here: the tag"));
}

TEST(Frontmatter, KeepsTextOverSeveralLines) {
  EXPECT_EQ(read("a: |\n  x\n  y\nb: >-\n  x\n  y\nc: \"x\n  y\""), R"({"a":"x\ny\n","b":"x y","c":"x y"})");
  EXPECT_EQ(read("a: |+\n  x\n"), R"({"a":"x\n"})");
  EXPECT_EQ(read("a: |+\n  x\n\n"), R"({"a":"x\n\n"})");
  EXPECT_EQ(read_file("---\r\na: |\r\n  x\r\n  y\r\n---\r\n"), R"({"a":"x\ny\n"})");
}

TEST(Frontmatter, FoldedTextKeepsItsLastLineBreaks) {
  EXPECT_EQ(read("a: >+\n  x\n\nb: 1"), R"({"a":"x\n\n","b":1})");
  EXPECT_EQ(read("a: &k >2+ # why\n   x\n  y\n\n\nb: 1"), R"({"a":" x\ny\n\n\n","b":1})");
  EXPECT_EQ(read("a: >+\n  x\nb: 1"), R"({"a":"x\n","b":1})");
  EXPECT_EQ(read("a: \">+ x\"\n\nb: >\n  y\n\nc: 1"), R"({"a":">+ x","b":"y\n","c":1})");
}

TEST(Frontmatter, KeysBecomeText) {
  EXPECT_EQ(read("1: a\n1.10: b\ntrue: c\n~: d\n'x y': {z: []}"),
            R"({"1":"a","1.1":"b","true":"c","":"d","x y":{"z":[]}})");
}

TEST(Frontmatter, ExpandsAliasesAndKeepsMergeKeys) {
  EXPECT_EQ(read("a: &x [1, {b: 2}]\nc: *x\n<<: *x"), R"({"a":[1,{"b":2}],"c":[1,{"b":2}],"<<":[1,{"b":2}]})");
}

TEST(Frontmatter, ReportsTheLineOfAMistake) {
  EXPECT_EQ(read("a: 1\nb: 2\na: 3"), "4: is not valid YAML here: the key 'a' occurs twice");
  EXPECT_THAT(read("a: 1\nb: [1"), HasSubstr("is not valid YAML here"));
  EXPECT_THAT(read("? [a]\n: 1"), HasSubstr("2: is not valid YAML here: a key must be a single word"));
  EXPECT_EQ(read("- a"), "2: is not a list of 'key: value' lines");
  EXPECT_EQ(read("a: 1\n%YAML 1.1"), "3: has a YAML directive, which is not supported");
  EXPECT_EQ(read("a: 1\nb: \x01"), "3: has a control character");
  EXPECT_EQ(read("a: \xff"), "1: is not UTF-8");
  EXPECT_EQ(read("a: 1\n...\nb: 2"), "2: has more than one YAML document");
}

TEST(Frontmatter, NeedsTwoLinesOfDashes) {
  const std::string missing = "1: does not begin with a YAML front matter between two lines '---'";
  for (const auto* file : {"", "---", "---\n", "---\na: 1\n", "---\n---\n", "--- \na: 1\n---\n", "\n---\na: 1\n---\n",
                           "---\na: 1\n---x\n"}) {
    EXPECT_EQ(read_file(file), missing) << file;
  }
  EXPECT_EQ(read_file("---\na: 1\n---"), R"({"a":1})");
  EXPECT_EQ(read_file("---\na: 1\n--- \t\nbody\n---\n"), R"({"a":1})");
  EXPECT_EQ(read_file("\xEF\xBB\xBF---\na: 1\n---\n"), R"({"a":1})");
}

TEST(Frontmatter, LimitsDepthValuesAndAliases) {
  EXPECT_THAT(read("a: " + std::string(40, '[') + std::string(40, ']')), HasSubstr("nested too deep"));
  EXPECT_THAT(read("a: [" + std::string(20'000, ',') + "]"), HasSubstr("is not valid YAML here"));
  std::string values = "a: [0";
  for (int i = 0; i < 11'000; ++i) values += ",1";
  EXPECT_THAT(read(values + "]"), HasSubstr("too many values"));
  std::string bomb = "a0: &a0 [x]\n";
  for (int i = 1; i < 40; ++i) {
    const auto before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before + "]\n";
  }
  EXPECT_THAT(read(bomb), HasSubstr("too many values"));
  EXPECT_THAT(read("a: &a " + std::string(30'000, 'x') + "\nb: [" +
                   [] {
                     std::string many = "*a";
                     for (int i = 0; i < 100; ++i) many += ", *a";
                     return many;
                   }() +
                   "]"),
              HasSubstr("too long with aliases"));
  EXPECT_THAT(read("a: &a [*a]"), HasSubstr("is not valid YAML here"));
  EXPECT_EQ(read("a: " + std::string(70'000, 'x')), "1: has more than 64 KiB of front matter");
}

TEST(Frontmatter, ComparesJsonByValue) {
  const auto same = [](const char* left, const char* right) {
    return is_same_json(json::Payload::trusted(left), json::Payload::trusted(right));
  };
  EXPECT_TRUE(same(R"({"a":1,"b":[1.0,null]})", R"({"b":[1,null],"a":1e0})"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":"1"})"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":null})"));
  EXPECT_FALSE(same(R"({"a":[1,2]})", R"({"a":[2,1]})"));
  EXPECT_FALSE(same(R"({"a":true})", R"({"a":false})"));
}

}  // namespace
}  // namespace fairlead::skills::frontmatter_test
