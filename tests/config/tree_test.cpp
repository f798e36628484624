#include "config/tree.hpp"

#include <gtest/gtest.h>

namespace fairlead::config::config_tree_test {
namespace {

Node tree(const std::string& text) {
  Diagnostics problems;
  auto root = read_tree("f", text, problems);
  EXPECT_TRUE(root && problems.empty()) << problems.error().message;
  return root.value_or(Node{});
}

std::string problem(const std::string& text) {
  Diagnostics problems;
  read_tree("f", text, problems);
  return problems.error().message;
}

TEST(ConfigTree, YamlAndJsonGiveEqualTrees) {
  EXPECT_TRUE(tree("a: [1, x]\nb: {c: true}\n").same_content(tree(R"({"a": [1, "x"], "b": {"c": true}})")));
}

TEST(ConfigTree, RecordsTheLineOfEveryKey) {
  const auto yaml = tree("a: 1\n\nb:\n  c: 2\n");
  EXPECT_EQ(yaml.find("b")->line, 3U);
  EXPECT_EQ(yaml.find("b")->find("c")->line, 4U);
  const auto json = tree("{\n \"a\": 1,\n \"b\":\n  {\"c\": 2}}");
  EXPECT_EQ(json.find("b")->line, 3U);
  EXPECT_EQ(json.find("b")->find("c")->line, 4U);
  EXPECT_EQ(json.find("b")->find("c")->column, 4U);
}

TEST(ConfigTree, KeepsQuotedScalarsAsText) {
  const auto root = tree("a: ''\nb: \"null\"\nc: null\nd: ~\ne:\n");
  EXPECT_EQ(root.find("a")->kind, Node::Kind::scalar);
  EXPECT_EQ(root.find("b")->text, "null");
  for (const auto* name : {"c", "d", "e"}) EXPECT_EQ(root.find(name)->kind, Node::Kind::null) << name;
}

TEST(ConfigTree, ReadsJsonWithCommentsAndTrailingCommas) {
  const auto root = tree("// first\n{ \"a\": [1, /* two, */ 2,], \"b\": \"// no comment, ]\", }");
  EXPECT_EQ(root.find("a")->children.size(), 2U);
  EXPECT_EQ(root.find("b")->text, "// no comment, ]");
}

TEST(ConfigTree, ExpandsAliases) {
  const auto root = tree("common: &c {x: 1, y: 2}\na: {<<: *c, y: 3}\nb: *c\n");
  EXPECT_EQ(root.find("a")->find("x")->text, "1");
  EXPECT_EQ(root.find("a")->find("y")->text, "3");
  EXPECT_EQ(root.find("b")->find("y")->text, "2");
}

TEST(ConfigTree, LimitsAliasExpansion) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i) {
    const auto last = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last + "," + last + "," + last + "," + last +
            "," + last + "," + last + "]\n";
  }
  EXPECT_NE(problem(text).find("too many values"), std::string::npos) << problem(text);
}

TEST(ConfigTree, LimitsNesting) {
  EXPECT_NE(problem(std::string(100, '[') + std::string(100, ']')), "");
  EXPECT_NE(problem("a: " + std::string(100, '[') + std::string(100, ']')), "");
}

TEST(ConfigTree, RefusesOtherFiles) {
  EXPECT_NE(problem(std::string(max_file_bytes + 1, ' ')), "");
  std::string many = "[";
  for (int i = 0; i < 30'000; ++i) many += "1,";
  EXPECT_NE(problem(many + "1]").find("more than"), std::string::npos);
}

TEST(ConfigTree, RefusesARecursiveAlias) {
  EXPECT_NE(problem("a: &a [*a]\n").find("alias"), std::string::npos) << problem("a: &a [*a]\n");
}

TEST(ConfigTree, IgnoresAByteOrderMark) {
  EXPECT_TRUE(tree("\xEF\xBB\xBF{\"a\": 1}").same_content(tree("a: 1")));
}

}  // namespace
}  // namespace fairlead::config::config_tree_test
