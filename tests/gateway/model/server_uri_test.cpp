#include "gateway/model/server_uri.hpp"

#include <gtest/gtest.h>

#include "gateway/model/tool_page.hpp"

namespace fairlead::gateway::test::server_uri_test {
namespace {

std::string rewritten(std::string json) {
  return std::string(add_server_names(json::Payload::trusted(std::move(json)), "git").text());
}

TEST(ServerUri, PutsTheServerInFrontOfSkillsAndPagesOnly) {
  EXPECT_EQ(add_server_name("skill://pdf/SKILL.md", "git"), "skill://git/pdf/SKILL.md");
  EXPECT_EQ(add_server_name("ui://clock/face", "git"), "ui://git/clock/face");
  EXPECT_EQ(add_server_name("file:///a", "git"), "file:///a");
  EXPECT_EQ(remove_server_name("skill://git/pdf/SKILL.md", "git"), "skill://pdf/SKILL.md");
  EXPECT_EQ(remove_server_name("skill://gitlab/pdf/SKILL.md", "git"), "skill://gitlab/pdf/SKILL.md");
  EXPECT_TRUE(has_server_name("ui://git/clock/face", "git"));
  EXPECT_FALSE(has_server_name("ui://git2/clock/face", "git"));
  EXPECT_FALSE(has_server_name("https://git/clock", "git"));
}

TEST(ServerUri, EscapesTheNameOfAServer) {
  const auto uri = add_server_name("skill://pdf/SKILL.md", "my server/1");
  EXPECT_EQ(uri, "skill://my%20server%2F1/pdf/SKILL.md");
  EXPECT_EQ(remove_server_name(uri, "my server/1"), "skill://pdf/SKILL.md");
}

TEST(ServerUri, RewritesTheUrisOfAResultAndKeepsAllOtherBytes) {
  EXPECT_EQ(rewritten(R"({"skills":[{"uri":"skill://a/SKILL.md","n":1.0,)"
                      R"("resources":[{"uri":"skill://a/x.md", "size":1}]}]})"),
            R"({"skills":[{"uri":"skill://git/a/SKILL.md","n":1.0,)"
            R"("resources":[{"uri":"skill://git/a/x.md", "size":1}]}]})");
  EXPECT_EQ(rewritten(R"({"tools":[{"_meta":{"ui":{"resourceUri":"ui://c/f"},"ui/resourceUri":"ui:\/\/c\/f"}}]})"),
            R"({"tools":[{"_meta":{"ui":{"resourceUri":"ui://git/c/f"},"ui/resourceUri":"ui://git/c/f"}}]})");
  EXPECT_EQ(rewritten(R"({"content":[{"type":"resource","resource":{"uri":"ui://c/f","text":"ui://c/f"}}]})"),
            R"({"content":[{"type":"resource","resource":{"uri":"ui://git/c/f","text":"ui://c/f"}}]})");
}

TEST(ServerUri, KeepsTextsFrontMatterAndData) {
  for (const auto* same : {R"({"contents":[{"uri":"file:///a","text":"{\"uri\":\"skill://a\"}"}]})",
                           R"({"skills":[{"frontmatter":{"uri":"skill://a/b"}}]})",
                           R"({"structuredContent":{"uri":"ui://a/b"}})", R"({"uri":["ui://a/b"]})"}) {
    EXPECT_EQ(rewritten(same), same);
  }
}

TEST(ToolPage, IsReadAndRemovedInBothSpellings) {
  const auto* nested = R"({"name":"t","_meta":{"ui":{"resourceUri":"ui://a/b","visibility":["app"]},"k":1}})";
  const auto* flat = R"({"name":"t","_meta":{"ui/resourceUri":"ui://a/b"}})";
  EXPECT_EQ(page_of_tool(nested), "ui://a/b");
  EXPECT_EQ(page_of_tool(flat), "ui://a/b");
  EXPECT_FALSE(page_of_tool(R"({"name":"t","description":"resourceUri"})"));
  EXPECT_EQ(without_page(nested), R"({"name":"t","_meta":{"ui":{"visibility":["app"]},"k":1}})");
  EXPECT_EQ(without_page(flat), R"({"name":"t","_meta":{}})");
}

}  // namespace
}  // namespace fairlead::gateway::test::server_uri_test
