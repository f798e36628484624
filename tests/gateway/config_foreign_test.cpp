#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/config_reading.hpp"

// Files that other programs wrote.
namespace fairlead::gateway::test::config_foreign_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST(ForeignConfig, ReadsTheFileOfClaudeAsItIs) {
  const auto loaded = read_text(R"({
  "globalShortcut": "",
  "numStartups": 12,
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/My Documents"]
    },
    "github": {
      "type": "stdio",
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "TOKEN", "image"],
      "env": { "TOKEN": "${GITHUB_TOKEN:-none}" },
      "alwaysAllow": ["search"],
      "timeout": 60000
    },
    "remote": { "type": "http", "url": "https://host.example/mcp", "headers": { "Authorization": "Bearer abc" } }
  }
})");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& servers = loaded->config.servers;
  ASSERT_EQ(servers.size(), 3U);
  EXPECT_THAT(servers[0].command,
              ElementsAre("npx", "-y", "@modelcontextprotocol/server-filesystem", "/home/me/My Documents"));
  EXPECT_THAT(servers[1].env, ElementsAre(Pair("TOKEN", "none")));
  EXPECT_EQ(servers[1].timeout, 60s);
  EXPECT_EQ(servers[2].url, "https://host.example/mcp");
  EXPECT_THAT(servers[2].headers, ElementsAre(Pair("Authorization", "Bearer abc")));
  EXPECT_THAT(loaded->warnings, IsEmpty());
}

TEST(ForeignConfig, ReadsTheFileOfVsCodeAsItIs) {
  const auto loaded = read_text(R"({
  // What the editor asks for.
  "inputs": [{ "type": "promptString", "id": "key", "password": true }],
  "servers": {
    "memory": { "type": "stdio", "command": "npx", "args": ["-y", "server-memory"], "env": {"HOME": "${env:HOME}"} },
    "docs": { "type": "http", "url": "https://docs.example/mcp" }, /* the last one */
  },
})",
                                world({{"HOME", "/home/me"}}));
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->config.servers.size(), 2U);
  EXPECT_THAT(loaded->config.servers[0].env, ElementsAre(Pair("HOME", "/home/me")));
}

TEST(ForeignConfig, RefusesAQuestionThatOnlyAnEditorCanAsk) {
  EXPECT_EQ(
      error_of("{\"servers\": {\n\"a\": {\"command\": \"x\",\n\"env\": {\"KEY\": \"${input:key}\"}}}}"),
      "chain.yaml:3: servers.a.env.KEY: ${input:key} is a question for somebody at an editor; set a variable of the "
      "environment instead, and write its name: ${NAME}");
}

TEST(ForeignConfig, LeavesAloneWhatItDoesNotKnowButSaysSo) {
  const auto loaded = read_text("{\"mcpServers\": {\n\"a\": {\"command\": \"x\", \"somethingElse\": 1}}}");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings,
              ElementsAre("chain.yaml:2: mcpServers.a.somethingElse: means nothing here, and is ignored"));
}

TEST(ForeignConfig, TakesASlipForASlip) {
  EXPECT_EQ(error_of("{\"mcpServers\": {\"a\": {\"comand\": \"x\"}}}"),
            "chain.yaml:1: mcpServers.a.comand: is not known; did you mean command?");
}

TEST(ForeignConfig, WillNotGuessTheUnitOfASmallTimeout) {
  EXPECT_EQ(error_of("{\"mcpServers\": {\"a\": {\"command\": \"x\", \"timeout\": 60}}}"),
            "chain.yaml:1: mcpServers.a.timeout: is a number without a unit; write \"60s\" or \"60ms\"");
}

TEST(ServerInfoConfig, ReadsOneOrAList) {
  const auto loaded = read_text(R"([
  {"name": "git", "transport": "stdio", "command": "git-server", "args": ["-v"], "env": {"A": "b"},
   "requestTimeoutMs": 1500},
  {"name": "tools", "transport": "http", "endpoint": "https://h.example/rpc", "headers": {"X-A": "b"}},
  {"name": "events", "transport": "sse", "endpoint": "http://h.example/rpc/stream"},
  {"name": "socket", "transport": "ws", "endpoint": "ws://h.example/ws"},
  {"name": "streamable", "transport": "streamableHttp", "endpoint": "https://h.example/mcp"}
])");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& servers = loaded->config.servers;
  ASSERT_EQ(servers.size(), 5U);
  EXPECT_THAT(servers[0].command, ElementsAre("git-server", "-v"));
  EXPECT_EQ(servers[0].timeout, 1500ms);
  EXPECT_EQ(servers[1].url, "rpc+https://h.example/rpc");
  EXPECT_EQ(servers[2].url, "sse+http://h.example/rpc/stream");
  EXPECT_EQ(servers[3].url, "rpc+ws://h.example/ws");
  EXPECT_EQ(servers[4].url, "https://h.example/mcp");

  EXPECT_THAT(server_of(R"({"name": "one", "transport": "stdio", "command": "x"})").command, ElementsAre("x"));
}

TEST(ServerInfoConfig, RefusesWithTheWordsOfItsOrigin) {
  EXPECT_EQ(error_of(R"({"name": "a", "transport": "stdio"})"),
            "chain.yaml:1: [0]: command required for stdio transport");
  EXPECT_EQ(error_of(R"([{"name": "a", "transport": "sse"}])"),
            "chain.yaml:1: [0]: endpoint required for http transports");
  EXPECT_EQ(error_of(R"([{"name": "a", "transport": "pigeon", "endpoint": "http://h/x"}])"),
            "chain.yaml:1: [0].transport: 'pigeon' is no transport; there are stdio, http, sse, ws and streamableHttp");
  EXPECT_EQ(error_of(R"([{"transport": "stdio", "command": "x"}])"), "chain.yaml:1: [0]: has no name; give it one");
}

}  // namespace
}  // namespace fairlead::gateway::test::config_foreign_test
