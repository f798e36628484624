#include "gateway/config/edit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::config_edit_test {
namespace {

using testing::HasSubstr;

const ServerConfig git{.name = "git", .command = {"npx", "-y", "server-git"}, .env = {{"TOKEN", "${TOKEN}"}}};
const ServerConfig docs{.name = "docs", .url = "https://h.example/mcp", .headers = {{"X-A", "b"}}};

std::string added(const std::string& text, const ServerConfig& server, const std::string& name = "f.json") {
  const auto result = add_server({name, text}, server);
  return result ? *result : "error: " + result.error().message;
}

std::string removed(const std::string& text, const std::string& server, const std::string& name = "f.json") {
  const auto result = remove_server({name, text}, server);
  return result ? *result : "error: " + result.error().message;
}

TEST(ConfigEdit, CreatesAFile) {
  EXPECT_EQ(added("", git), R"({
  "mcpServers": {
    "git": {
      "command": "npx",
      "args": ["-y", "server-git"],
      "env": {
        "TOKEN": "${TOKEN}"
      }
    }
  }
}
)");
  EXPECT_EQ(added("", docs, "f.yaml"), R"(servers:
  "docs":
    "type": "http"
    "url": "https://h.example/mcp"
    "headers":
      "X-A": "b"
)");
}

TEST(ConfigEdit, AddsToJsonInTheSameStyle) {
  EXPECT_EQ(added(R"({
    // mine
    "other":   [1,2],
    "mcpServers": {
        "a": {"command": "x"} // stays
    }
}
)",
                  {.name = "b", .command = {"y"}}),
            R"({
    // mine
    "other":   [1,2],
    "mcpServers": {
        "a": {"command": "x"},
        "b": {
            "command": "y"
        } // stays
    }
}
)");
  EXPECT_EQ(added(R"({"servers": {"a": {"command": "x"}}})", {.name = "b", .command = {"y"}}),
            R"({"servers": {"a": {"command": "x"}, "b": { "command": "y" }}})");
}

TEST(ConfigEdit, AddsToJsonThatHasNoServersYet) {
  EXPECT_EQ(added("{\n  \"a\": 1\n}\n", {.name = "b", .command = {"y"}}),
            "{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"b\": {\n      \"command\": \"y\"\n    }\n  }\n}\n");
  EXPECT_EQ(added("{}", {.name = "b", .command = {"y"}}),
            "{\n  \"mcpServers\": {\n    \"b\": {\n      \"command\": \"y\"\n    }\n  }\n}");
  EXPECT_EQ(added("{\n  \"mcpServers\": {}\n}", {.name = "b", .command = {"y"}}),
            "{\n  \"mcpServers\": {\n    \"b\": {\n      \"command\": \"y\"\n    }\n  }\n}");
}

TEST(ConfigEdit, AddsToYamlAndKeepsComments) {
  EXPECT_EQ(added("# head\nservers:\n    a:\n        command: [x]  # why\n\n# tail\nlisten: {port: 1}\n",
                  {.name = "b", .command = {"y"}}, "f.yaml"),
            "# head\nservers:\n    a:\n        command: [x]  # why\n    \"b\":\n      \"command\": \"y\"\n\n# tail\n"
            "listen: {port: 1}\n");
  EXPECT_EQ(added("listen: {port: 1}", {.name = "b", .command = {"y"}}, "f.yaml"),
            "listen: {port: 1}\nservers:\n  \"b\":\n    \"command\": \"y\"\n");
}

TEST(ConfigEdit, AddedServersReadBack) {
  for (const auto* text : {"", "{\"mcpServers\": {\"a\": {\"command\": \"x\"},}}", "servers:\n  a: stdio:x\n"}) {
    const auto loaded = read_text(added(text, git), test_options({{"TOKEN", "t"}}));
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto* server = loaded->config.find("git");
    ASSERT_NE(server, nullptr) << text;
    EXPECT_EQ(server->command, git.command);
    EXPECT_EQ(server->env.at("TOKEN"), "t");
  }
}

TEST(ConfigEdit, RefusesAnExistingName) {
  EXPECT_EQ(added("{\"mcpServers\": {\n\"git\": {\"command\": \"x\"}}}", git),
            "error: f.json:2: server 'git' already exists; remove it first, or choose another name");
}

TEST(ConfigEdit, SaysWhatToWriteIfItCannotEdit) {
  EXPECT_EQ(added("servers: {a: {command: [x]}}\n", {.name = "b", .command = {"y"}}, "f.yaml"),
            "error: f.yaml is written in a way that cannot be edited safely; add this to its servers:\n"
            "  \"b\":\n    \"command\": \"y\"\n");
  EXPECT_THAT(added("[]", {.name = "b", .command = {"y"}}), HasSubstr("cannot be edited safely"));
}

TEST(ConfigEdit, RemovesFromJson) {
  const std::string text =
      "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"},\n    \"b\": {\"command\": \"y\"},\n"
      "    \"c\": {\"command\": \"z\"}\n  },\n  \"k\": 1\n}\n";
  EXPECT_EQ(removed(text, "a"),
            "{\n  \"mcpServers\": {\n    \"b\": {\"command\": \"y\"},\n"
            "    \"c\": {\"command\": \"z\"}\n  },\n  \"k\": 1\n}\n");
  EXPECT_EQ(removed(text, "c"),
            "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"},\n"
            "    \"b\": {\"command\": \"y\"}\n  },\n  \"k\": 1\n}\n");
  EXPECT_EQ(removed("{\"mcpServers\": {\n \"a\": {\"command\": \"x\"}\n}}", "a"), "{\"mcpServers\": {}}");
}

TEST(ConfigEdit, RemovesFromYaml) {
  const std::string text = "# head\nservers:\n  a:\n    command: [x]\n  # about b\n  b:\n    command: [y]\n\nlog: {}\n";
  EXPECT_EQ(removed(text, "a", "f.yaml"), "# head\nservers:\n  # about b\n  b:\n    command: [y]\n\nlog: {}\n");
  EXPECT_EQ(removed(text, "b", "f.yaml"), "# head\nservers:\n  a:\n    command: [x]\n  # about b\n\nlog: {}\n");
  EXPECT_EQ(removed("servers:\n  a: stdio:x\nlog: {}\n", "a", "f.yaml"), "log: {}\n");
}

TEST(ConfigEdit, RefusesToRemoveAnAnchorInUse) {
  EXPECT_EQ(removed("servers:\n  a: &x\n    command: [x]\n  b: *x\n", "a", "f.yaml"),
            "error: f.yaml is written in a way that cannot be edited safely; remove 'a' in line 2 yourself");
}

TEST(ConfigEdit, RefusesToRemoveAnUnknownServer) {
  EXPECT_EQ(removed("{\"mcpServers\": {}}", "a"), "error: f.json has no server 'a'");
}

TEST(ConfigEdit, RefusesAMalformedFile) {
  EXPECT_THAT(added("{\n\"mcpServers\": [}", git), HasSubstr("f.json:2: is not valid JSON here"));
}

}  // namespace
}  // namespace fairlead::gateway::test::config_edit_test
