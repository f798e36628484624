#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/fixtures/config_reader.hpp"

// Configuration files of other programs.
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
  // Inputs of the editor.
  "inputs": [{ "type": "promptString", "id": "key", "password": true }],
  "servers": {
    "memory": { "type": "stdio", "command": "npx", "args": ["-y", "server-memory"], "env": {"HOME": "${env:HOME}"} },
    "docs": { "type": "http", "url": "https://docs.example/mcp" }, /* the last one */
  },
})",
                                test_options({{"HOME", "/home/me"}}));
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->config.servers.size(), 2U);
  EXPECT_THAT(loaded->config.servers[0].env, ElementsAre(Pair("HOME", "/home/me")));
}

TEST(ForeignConfig, Finding_P11_ReadsTheFileOfOpencodeAsItIs) {
  const auto loaded = read_text(R"({
  "$schema": "https://opencode.ai/config.json",
  "model": "anthropic/claude-sonnet-4-5",
  "logLevel": "DEBUG",
  "mcp": {
    "everything": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-everything"],
      "environment": { "TOKEN": "{env:TOKEN}" },
      "enabled": true
    },
    "docs": {
      "type": "remote", "url": "https://docs.example/mcp", "enabled": false, "oauth": false, "timeout": 5000,
      "headers": { "Authorization": "Bearer {env:TOKEN}!" }
    }
  }
})",
                                test_options({{"TOKEN", "secret"}}));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& servers = loaded->config.servers;
  ASSERT_EQ(servers.size(), 2U);
  EXPECT_EQ(servers[0].name, "everything");
  EXPECT_THAT(servers[0].command, ElementsAre("npx", "-y", "@modelcontextprotocol/server-everything"));
  EXPECT_THAT(servers[0].env, ElementsAre(Pair("TOKEN", "secret")));
  EXPECT_FALSE(servers[0].disabled);
  EXPECT_EQ(servers[1].url, "https://docs.example/mcp");
  EXPECT_TRUE(servers[1].disabled);
  EXPECT_EQ(servers[1].timeout, 5s);
  EXPECT_THAT(servers[1].headers, ElementsAre(Pair("Authorization", "Bearer secret!")));
  EXPECT_THAT(loaded->warnings, IsEmpty());
}

TEST(ForeignConfig, Finding_P11_ReadsTheFileOfCodexAsItIs) {
  const auto loaded = read_text(R"(model = "gpt-5"
approval_policy = "on-request"   # of Codex itself
[tools]
web_search = true

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
startup_timeout_sec = 20
tool_timeout_sec = 90
enabled_tools = ["resolve", "get_*"]
[mcp_servers.context7.env]
API_KEY = 'a # b'

[mcp_servers."figma.com"]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA"
http_headers = { "X-Region" = "us-east-1" }
env_http_headers = { X-Team = "TEAM" }
enabled = false
)",
                                test_options({{"FIGMA", "f1"}, {"TEAM", "t1"}}), "config.toml");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& servers = loaded->config.servers;
  ASSERT_EQ(servers.size(), 2U);
  EXPECT_THAT(servers[0].command, ElementsAre("npx", "-y", "@upstash/context7-mcp"));
  EXPECT_THAT(servers[0].env, ElementsAre(Pair("API_KEY", "a # b")));
  EXPECT_EQ(servers[0].start_timeout, 20s);
  EXPECT_EQ(servers[0].timeout, 90s);
  ASSERT_EQ(servers[0].chain.size(), 1U);
  EXPECT_EQ(servers[0].chain[0].name, "allow");
  EXPECT_THAT(servers[0].chain[0].arguments, ElementsAre(Pair("tool", "resolve"), Pair("tool", "get_*")));
  EXPECT_EQ(servers[1].name, "figma.com");
  EXPECT_THAT(servers[1].headers,
              ElementsAre(Pair("Authorization", "Bearer f1"), Pair("X-Region", "us-east-1"), Pair("X-Team", "t1")));
  EXPECT_TRUE(servers[1].disabled);
  EXPECT_THAT(loaded->warnings, IsEmpty());
}

TEST(ForeignConfig, Finding_P11_NamesTheLineOfATomlError) {
  EXPECT_EQ(error_of("[mcp_servers.a]\ncommand = \"x\"\nargs = [1, 2\nenv = {}\n", test_options(), "config.toml"),
            "config.toml:4: is not valid TOML here: expected a comma or ] in a list");
  EXPECT_EQ(error_of("[mcp_servers.a]\nurl = \"https://h/mcp\"\n\nbearer_token_env_var = \"NONE\"", test_options(),
                     "config.toml"),
            "config.toml:4: mcp_servers.a.bearer_token_env_var: the variable NONE is not set; set it, or write "
            "${NONE:-default}");
}

TEST(ForeignConfig, Finding_P11_ReadsTheFileOfMcporterAsItIs) {
  const auto loaded = read_text(R"({
  "mcpServers": {
    "context7": {
      "description": "Docs", "baseUrl": "https://mcp.context7.com/mcp",
      "headers": { "Authorization": "$env:KEY" }, "lifecycle": "keep-alive"
    },
    "linear": { "base_url": "https://mcp.linear.app/mcp", "bearerTokenEnv": "KEY", "clientName": "me" }
  },
  "imports": ["cursor", "claude-code"]
})",
                                test_options({{"KEY", "k"}}));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& servers = loaded->config.servers;
  ASSERT_EQ(servers.size(), 2U);
  EXPECT_EQ(servers[0].url, "https://mcp.context7.com/mcp");
  EXPECT_THAT(servers[0].headers, ElementsAre(Pair("Authorization", "k")));
  EXPECT_EQ(servers[1].url, "https://mcp.linear.app/mcp");
  EXPECT_THAT(servers[1].headers, ElementsAre(Pair("Authorization", "Bearer k")));
  EXPECT_THAT(loaded->warnings, IsEmpty());
}

TEST(ForeignConfig, ReadsTheServersInTheSettingsOfVsCode) {
  const auto settings = R"({"editor.fontSize": 12, "mcp": {"inputs": [], "servers": {"a": {"url": "https://h/mcp"}}}})";
  EXPECT_EQ(server_of(settings).url, "https://h/mcp");
}

TEST(ForeignConfig, RefusesEditorInputs) {
  EXPECT_EQ(
      error_of("{\"servers\": {\n\"a\": {\"command\": \"x\",\n\"env\": {\"KEY\": \"${input:key}\"}}}}"),
      "chain.yaml:3: servers.a.env.KEY: ${input:key} asks the user of an editor, which fairlead cannot do; set an "
      "environment variable and write ${NAME}");
}

TEST(ForeignConfig, WarnsAboutUnknownKeys) {
  const auto loaded = read_text("{\"mcpServers\": {\n\"a\": {\"command\": \"x\", \"somethingElse\": 1}}}");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings,
              ElementsAre("chain.yaml:2: mcpServers.a.somethingElse: is not used here and is ignored"));
}

TEST(ForeignConfig, ReportsMisspelledKeys) {
  EXPECT_EQ(error_of("{\"mcpServers\": {\"a\": {\"comand\": \"x\"}}}"),
            "chain.yaml:1: mcpServers.a.comand: unknown key; did you mean command?");
}

TEST(ForeignConfig, RefusesASmallTimeoutWithoutUnit) {
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

TEST(ServerInfoConfig, RefusesWithTheSpecifiedErrors) {
  EXPECT_EQ(error_of(R"({"name": "a", "transport": "stdio"})"),
            "chain.yaml:1: [0]: command required for stdio transport");
  EXPECT_EQ(error_of(R"([{"name": "a", "transport": "sse"}])"),
            "chain.yaml:1: [0]: endpoint required for http transports");
  EXPECT_EQ(error_of(R"([{"name": "a", "transport": "pigeon", "endpoint": "http://h/x"}])"),
            "chain.yaml:1: [0].transport: expected one of stdio, http, sse, ws, streamableHttp, got 'pigeon'");
  EXPECT_EQ(error_of(R"([{"transport": "stdio", "command": "x"}])"), "chain.yaml:1: [0]: has no name; give it one");
}

}  // namespace
}  // namespace fairlead::gateway::test::config_foreign_test
