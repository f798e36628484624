#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/tree.hpp"

namespace fairlead::config::config_toml_test {
namespace {

/// A tree in one line: scalars in quotes, lists in brackets, tables in braces.
std::string outline(const Node& node) {
  if (node.kind == Node::Kind::scalar) return "'" + node.text + "'";
  const bool map = node.kind == Node::Kind::map;
  std::string out = map ? "{" : "[";
  for (const auto& child : node.children) {
    if (out.size() > 1) out += ' ';
    out += (map ? child.key + "=" : "") + outline(child);
  }
  return out + (map ? "}" : "]");
}

std::string read(std::string_view text) {
  Diagnostics problems;
  const auto tree = read_toml_tree("f", text, problems);
  return tree ? outline(*tree) : problems.error().message;
}

TEST(TomlTree, ReadsTablesAndDottedKeys) {
  EXPECT_EQ(read("a = 1\n[t]\nb.c = 2\nb.d = 3\n[t.u]\n\"e f\" = 4\n['g.h'.i]\n"),
            "{a='1' t={b={c='2' d='3'} u={e f='4'}} g.h={i={}}}");
  EXPECT_EQ(read("[a.b]\nx=1\n[a]\ny=2"), "{a={b={x='1'} y='2'}}");
  EXPECT_EQ(read("[[l]]\na=1\n[l.t]\nb=2\n[[l]]\nc=3"), "{l=[{a='1' t={b='2'}} {c='3'}]}");
  EXPECT_EQ(read(""), "{}");
}

TEST(TomlTree, ReadsAllFourKindsOfStrings) {
  EXPECT_EQ(read(R"(a = "x\t\"y\"\\ \u00E9\U0001F600")"), "{a='x\t\"y\"\\ \xC3\xA9\xF0\x9F\x98\x80'}");
  EXPECT_EQ(read(R"(a = 'C:\dir "q"')"), R"({a='C:\dir "q"'})");
  EXPECT_EQ(read("a = \"\"\"\none\ntwo \\\n   three\"\"\""), "{a='one\ntwo three'}");
  EXPECT_EQ(read("a = '''\r\none\r\n'two'\\''''"), "{a='one\n'two'\\''}");
  EXPECT_EQ(read("a = \"\"\"\"\"x\"\"\"\"\""), "{a='\"\"x\"\"'}");
  EXPECT_EQ(read("a = ''\nb = \"\""), "{a='' b=''}");
}

TEST(TomlTree, ReadsNumbersBooleansAndDates) {
  EXPECT_EQ(read("a = [1_000, -17, +5, 0xFF, 0o17, 0b101, 0]"), "{a=['1000' '-17' '5' '255' '15' '5' '0']}");
  EXPECT_EQ(read("a = [3.14, -0.5, 5e+2, 1_0.2_5e-3, inf, -nan]"), "{a=['3.14' '-0.5' '5e2' '10.25e-3' 'inf' '-nan']}");
  EXPECT_EQ(read("a = [true, false]"), "{a=['true' 'false']}");
  EXPECT_EQ(read("a = [2026-07-28, 07:32:00, 2026-07-28T07:32:00.5Z, 2026-07-28 07:32:00-07:00]"),
            "{a=['2026-07-28' '07:32:00' '2026-07-28T07:32:00.5Z' '2026-07-28 07:32:00-07:00']}");
}

TEST(TomlTree, ReadsListsAndTablesInLine) {
  EXPECT_EQ(read("a = [ # of what\n  [1, 2],\n  {x = 1, y.z = 'q'}, # last\n]\nb = {}"),
            "{a=[['1' '2'] {x='1' y={z='q'}}] b={}}");
}

TEST(TomlTree, NamesTheLineOfAnError) {
  const auto wrong = [](std::string_view expected, std::size_t line = 1) {
    return "f:" + std::to_string(line) + ": is not valid TOML here: expected " + std::string(expected);
  };
  EXPECT_EQ(read("a"), wrong("= after a key"));
  EXPECT_EQ(read("\n = 1"), wrong("a key", 2));
  EXPECT_EQ(read("a = 1 b = 2"), wrong("the end of the line"));
  EXPECT_EQ(read("a = \"x\ny\""), wrong("a closing quote"));
  EXPECT_EQ(read("a = '''x\n"), wrong("the quotes that end a string", 2));
  EXPECT_EQ(read(R"(a = "\q")"), wrong(R"(an escape such as \n, \" or \u00E9)"));
  EXPECT_EQ(read(R"(a = "\uD800")"), wrong("the number of a Unicode character"));
  EXPECT_EQ(read("[a\nb = 1"), wrong("a closing bracket"));
  EXPECT_EQ(read("a = {b = 1,}"), wrong("a key"));
  EXPECT_EQ(read("a = {b = 1\n}"), wrong("a comma or } in a table on one line"));
  for (const auto* value :
       {"", "x", "01", "1__0", "_1", "1_", "1.", ".5", "1e", "0x", "0xG", "tru", "2026-7-28", "--1"}) {
    EXPECT_THAT(read(std::string("a = ") + value), testing::HasSubstr("f:1: is not valid TOML here: expected"))
        << value;
  }
}

TEST(TomlTree, RefusesDuplicateKeys) {
  const auto twice = [](std::string_view name, std::size_t line, std::size_t first) {
    return "f:" + std::to_string(line) + ": is not valid TOML here: expected a new name: '" + std::string(name) +
           "' is already defined in line " + std::to_string(first);
  };
  EXPECT_EQ(read("a = 1\na = 2"), twice("a", 2, 1));
  EXPECT_EQ(read("[a]\n[a]"), twice("a", 2, 1));
  EXPECT_EQ(read("a = {}\n[a.b]"), twice("a", 2, 1));
  EXPECT_EQ(read("a = {b.c = 1}\na.b.d = 2"), twice("a", 2, 1));
  EXPECT_EQ(read("[a]\nb.c = 1\n[a.b]"), twice("b", 3, 2));
  EXPECT_EQ(read("a = [1]\n[[a]]"), twice("a", 2, 1));
  EXPECT_EQ(read("[[a]]\n[a]"), twice("a", 2, 1));
}

TEST(TomlTree, IsBoundedInDepthAndSize) {
  EXPECT_THAT(read("a = " + std::string(100, '[')), testing::HasSubstr("fewer lists and tables inside each other"));
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) deep += ".a";
  EXPECT_THAT(read(deep + " = 1"), testing::HasSubstr("fewer tables inside each other"));
  EXPECT_THAT(read("[" + deep + "]"), testing::HasSubstr("fewer tables inside each other"));
  std::string many = "a = [";
  for (std::size_t i = 0; i <= max_nodes; ++i) many += "1,";
  EXPECT_THAT(read(many + "]"), testing::HasSubstr("at most 20000 values"));
}

}  // namespace
}  // namespace fairlead::config::config_toml_test
