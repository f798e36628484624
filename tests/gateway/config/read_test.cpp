#include <fairlead/client/options.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::config_read_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST(ConfigReadTest, AnEmptyFileHasTheDefaults) {
  for (const auto* text : {"", "# nothing\n", "{}", "servers:\n"}) {
    const auto loaded = read_text(text);
    ASSERT_TRUE(loaded) << text << ": " << loaded.error().message;
    EXPECT_EQ(loaded->config, GatewayConfig{});
  }
}

TEST(ConfigReadTest, ReadsEveryKeyOfAServerWithACommand) {
  const auto server = server_of(R"(
servers:
  git:
    command: [npx, -y, server-git]
    env: {PORT: 8080, NAME: "a b"}
    inherit_env: false
    cwd: /srv
    memory: 512MB
    cpu_time: 1h
    open_files: 256
    share: caller
    lazy: false
    idle_stop: 5m
    restart: {initial_delay: 1s, max_delay: 2m, max_failures: 7}
    era: handshake
    start_timeout: 10s
    timeout: 500ms
    max_time: never
    max_in_flight: 3
    max_waiting: 4
    prefix: g
    disabled: true
    chain: [redact]
)");
  const ServerConfig expected{
      .name = "git",
      .command = {"npx", "-y", "server-git"},
      .env = {{"NAME", "a b"}, {"PORT", "8080"}},
      .inherit_env = false,
      .cwd = "/srv",
      .memory = {512ULL << 20},
      .cpu_time = 1h,
      .open_files = 256,
      .share = Share::caller,
      .lazy = false,
      .idle_stop = 5min,
      .restart = {.initial_delay = 1s, .max_delay = 2min, .max_failures = 7},
      .era = client::EraPreference::handshake,
      .start_timeout = 10s,
      .timeout = 500ms,
      .max_time = 0s,
      .max_in_flight = 3,
      .max_waiting = 4,
      .prefix = "g",
      .disabled = true,
      .chain = {{.name = "redact"}},
  };
  EXPECT_EQ(server, expected);
}

TEST(ConfigReadTest, ReadsEveryKeyOfAServerWithAUrl) {
  const auto server = server_of(R"(
servers:
  docs:
    url: https://docs.example/mcp
    headers: {X-Team: blue}
    cacert: /etc/ca.pem
    cert: /etc/me.pem
    key: /etc/me.key
    revision: 2025-06-18
)");
  EXPECT_EQ(server.url, "https://docs.example/mcp");
  EXPECT_THAT(server.headers, ElementsAre(Pair("X-Team", "blue")));
  EXPECT_EQ(server.cacert + server.cert + server.key, "/etc/ca.pem/etc/me.pem/etc/me.key");
  EXPECT_EQ(server.revision, "2025-06-18");
}

TEST(ConfigReadTest, ReadsTheOtherKeys) {
  const auto loaded = read_text(R"(
listen:
  host: 0.0.0.0
  port: 9000
  base_path: /tools/
  paths: {mcp: /m, ws: ""}
  single_path: true
  tls: {cert: /c.pem, key: /k.pem, client_ca: /ca.pem}
  keys: {alice: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}
  allow_hosts: [tools.example]
  allow_origins: ["https://app.example"]
  insecure: true
  stdio: true
  unix: /run/fairlead.sock
  workers: 0
naming: {prefix: always, separator: ".", max_length: 48}
spawn_concurrency: 2
list_timeout: 3s
pending_input: {max_calls: 7, timeout: 2m}
log: {level: debug, format: json}
)");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& config = loaded->config;
  EXPECT_EQ(config.listen.host, "0.0.0.0");
  EXPECT_EQ(config.listen.port, 9000);
  EXPECT_EQ(config.listen.base_path, "/tools");
  EXPECT_EQ(config.listen.paths.mcp, "/m");
  EXPECT_EQ(config.listen.paths.ws, "");
  EXPECT_EQ(config.listen.paths.sse, "/sse");
  EXPECT_TRUE(config.listen.single_path && config.listen.insecure && config.listen.stdio);
  EXPECT_EQ(config.listen.tls, (ListenTlsConfig{.cert = "/c.pem", .key = "/k.pem", .client_ca = "/ca.pem"}));
  EXPECT_EQ(config.listen.keys.size(), 1U);
  EXPECT_THAT(config.listen.allow_hosts, ElementsAre("tools.example"));
  EXPECT_THAT(config.listen.allow_origins, ElementsAre("https://app.example"));
  EXPECT_EQ(config.listen.unix_socket, "/run/fairlead.sock");
  EXPECT_EQ(config.listen.workers, 0U);
  EXPECT_EQ(config.naming, (NamingConfig{.prefix = PrefixPolicy::always, .separator = ".", .max_length = 48}));
  EXPECT_EQ(config.spawn_concurrency, 2U);
  EXPECT_EQ(config.list_timeout, 3s);
  EXPECT_EQ(config.pending_input, (PendingInputConfig{.max_calls = 7, .timeout = 2min}));
  EXPECT_EQ(config.log, (LogConfig{.level = LogLevel::debug, .format = LogFormat::json}));
}

TEST(ConfigReadTest, ReadsAServerFromOneString) {
  EXPECT_EQ(server_of("servers: {docs: 'https://docs.example/mcp'}").url, "https://docs.example/mcp");
  EXPECT_THAT(server_of("servers:\n  git: stdio:npx -y 'server git'\n").command,
              ElementsAre("npx", "-y", "server git"));
}

TEST(ConfigReadTest, KeepsTheOrderOfTheServers) {
  const auto loaded = read_text("servers: {z: 'http://h/z', a: 'http://h/a', m: 'http://h/m'}");
  ASSERT_TRUE(loaded);
  std::vector<std::string> names;
  for (const auto& server : loaded->config.servers) names.push_back(server.name);
  EXPECT_THAT(names, ElementsAre("z", "a", "m"));
}

TEST(ConfigReadTest, ReadsAllFormsOfChainSteps) {
  const auto loaded = read_text(R"(
chain:
  - redact
  - timeout(30s)
  - limit: 10/s
  - allow: [read, "write file"]
  - rename: {old: new, other: "${NAME}"}
  - log(level=debug, "a, b")
)",
                                test_options({{"NAME", "value"}}));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const ChainConfig expected{
      {.name = "redact"},
      {.name = "timeout", .arguments = {{"", "30s"}}},
      {.name = "limit", .arguments = {{"", "10/s"}}},
      {.name = "allow", .arguments = {{"", "read"}, {"", "write file"}}},
      {.name = "rename", .arguments = {{"old", "new"}, {"other", "value"}}},
      {.name = "log", .arguments = {{"level", "debug"}, {"", "a, b"}}},
  };
  EXPECT_EQ(loaded->config.chain, expected);
  EXPECT_EQ(loaded->config.chain[1].at.text, "chain.yaml:4: chain[1]");
}

TEST(ConfigReadTest, ResolvesPathsRelativeToTheFile) {
  const auto loaded = read_text("listen: {keys_file: keys}\nlist_cache: ../state/lists.json\n", test_options(),
                                "/etc/fairlead/chain.yaml");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.listen.keys_file, "/etc/fairlead/keys");
  EXPECT_EQ(loaded->config.list_cache, "/etc/state/lists.json");
}

TEST(ConfigReadTest, ResolvesMiddlewareFilesRelativeToTheConfiguration) {
  const std::string text =
      "chain:\n  - lua(guard.lua)\n  - lua: {file: ../x.lua}\n  - lua: /whole.lua\n  - auth(keys_file=k)\n";
  const auto loaded = read_text(text, test_options(), "/etc/fairlead/chain.yaml");
  ASSERT_TRUE(loaded) << loaded.error().message;
  std::vector<std::string> files;
  for (const auto& step : loaded->config.chain) files.push_back(step.arguments.front().second);
  EXPECT_THAT(files, testing::ElementsAre("/etc/fairlead/guard.lua", "/etc/x.lua", "/whole.lua", "/etc/fairlead/k"));
}

TEST(ConfigReadTest, ALaterFileAddsAndOverrides) {
  const std::vector<config::Document> files{
      {"a.yaml",
       "servers:\n  git: {command: [git-server], timeout: 5s}\n  docs: {url: 'http://a/mcp', lazy: false}\n"
       "listen: {port: 1, host: '::1'}\nchain: [a, b]\n"},
      {"b.json", R"({"servers": {"git": {"timeout": "9s"}, "docs": {"url": "http://b/mcp"},
                     "new": {"command": ["x"]}}, "listen": {"port": 2}, "chain": ["c"]})"}};
  const auto loaded = read_config(files, test_options());
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& servers = loaded->config.servers;
  ASSERT_EQ(servers.size(), 3U);
  EXPECT_EQ(servers[0].timeout, 9s);
  EXPECT_THAT(servers[0].command, ElementsAre("git-server"));
  EXPECT_EQ(servers[1].url, "http://b/mcp");
  EXPECT_TRUE(servers[1].lazy) << "an entry with a place of its own starts afresh";
  EXPECT_EQ(servers[2].name, "new");
  EXPECT_EQ(loaded->config.listen.port, 2);
  EXPECT_EQ(loaded->config.listen.host, "::1");
  EXPECT_EQ(loaded->config.chain, (ChainConfig{{.name = "c"}}));
}

TEST(ConfigReadTest, NamesAMissingFile) {
  const std::vector<std::string> paths{"/nowhere/chain.yaml"};
  const auto loaded = load_config(paths);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "/nowhere/chain.yaml: cannot be read: No such file or directory");
}

TEST(ConfigReadTest, ReadsVariablesFromAnEnvFile) {
  const auto server = server_of("servers: {s: {command: [x], env: {A: own}, env_file: .env}}",
                                test_options({}, {{".env", "# remark\nA=file\nexport B=\"two words\"\n\n C = 3 \n"}}));
  EXPECT_THAT(server.env, ElementsAre(Pair("A", "own"), Pair("B", "two words"), Pair("C", "3")));
}

}  // namespace
}  // namespace fairlead::gateway::test::config_read_test
