#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::config_pipe_test {
namespace {

using testing::ElementsAre;

Result<LoadedConfig> pipe(std::string_view line, const config::ReadOptions& options = test_options()) {
  return read_pipe(line, options);
}

std::string pipe_error(std::string_view line) {
  const auto loaded = pipe(line);
  return loaded ? "no error" : loaded.error().message;
}

TEST(PipeSyntaxTest, EqualsTheSameFile) {
  const auto line = pipe("http://:8000/base | timeout(30s) | limit(10/s, burst=5) | stdio:npx -y 'my server'");
  const auto file = read_text(R"(
listen: {port: 8000, base_path: /base}
chain: [timeout(30s), {limit: {"": 10/s, burst: 5}}]
servers: {server: {command: [npx, -y, my server]}}
)");
  ASSERT_TRUE(line) << line.error().message;
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(line->config, file->config);
}

TEST(PipeSyntaxTest, EqualsTheChainOfAFile) {
  const auto line = pipe("http://:8000 | redact | https://h.example/mcp");
  const auto file = read_text("chain:\n  - http://:8000\n  - redact\n  - https://h.example/mcp\n");
  ASSERT_TRUE(line && file);
  EXPECT_EQ(line->config, file->config);
}

TEST(PipeSyntaxTest, ReadsEveryListenAddress) {
  EXPECT_EQ(pipe("http://[::1]:9 | ws://h/ws")->config.listen.host, "::1");
  EXPECT_EQ(pipe("http://10.0.0.1 | ws://h/ws")->config.listen.port, 8080);
  const auto stdio = pipe("stdio | unix:/run/s.sock")->config.listen;
  EXPECT_TRUE(stdio.stdio && !stdio.http);
  const auto socket = pipe("unix:/run/x | tcp:127.0.0.1:99")->config.listen;
  EXPECT_EQ(socket.unix_socket, "/run/x");
  EXPECT_FALSE(socket.stdio || socket.http);
}

TEST(PipeSyntaxTest, AVariableStaysOneWord) {
  const auto loaded =
      pipe("stdio | auth(${KEY}) | stdio:run ${ARG}", test_options({{"KEY", "a), b | c"}, {"ARG", "x y"}}));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.chain, (ChainConfig{{.name = "auth", .arguments = {{"", "a), b | c"}}}}));
  EXPECT_THAT(loaded->config.servers[0].command, ElementsAre("run", "x y"));
}

TEST(PipeSyntaxTest, QuotesKeepBarsAndCommasTogether) {
  const auto loaded = pipe(R"(stdio | log("a, b | (c") | stdio:sh -c "a | b")");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.chain, (ChainConfig{{.name = "log", .arguments = {{"", "a, b | (c"}}}}));
  EXPECT_THAT(loaded->config.servers[0].command, ElementsAre("sh", "-c", "a | b"));
}

TEST(PipeSyntaxTest, ErrorsPointAtTheColumn) {
  EXPECT_EQ(pipe_error("http://:8000 | timeout(30s | stdio:x"), "command line, column 23: chain: the ( is not closed");
  EXPECT_EQ(pipe_error("http://:8000 | 5 apples | stdio:x"),
            "command line, column 16: chain[1]: '5 apples' is not a chain step; write it like timeout(30s)");
  EXPECT_EQ(pipe_error("stdio | a(b,,c) | stdio:x"), "command line, column 13: chain[1]: an argument is missing here");
  EXPECT_EQ(pipe_error("nowhere | stdio:x"),
            "command line, column 1: chain[0]: is not a listen address; write http://:8080, stdio or unix:/path");
  EXPECT_EQ(pipe_error("stdio | timeout(1s)"),
            "command line, column 9: chain[1]: is not a server; write stdio:command, or a URL");
  EXPECT_EQ(pipe_error("http://:port | stdio:x"),
            "command line, column 1: chain[0]: 'http://:port' has no valid port; write http://:8080");
  EXPECT_EQ(pipe_error("stdio | stdio:"),
            "command line, column 9: chain[1]: has no command; write stdio:npx -y some-server");
  EXPECT_EQ(pipe_error("stdio | ftp://x"),
            "command line, column 9: chain[1]: is not a server; write stdio:command, or a URL\n"
            "command line, column 9: chain[1]: 'ftp://x' is not a chain step; write it like timeout(30s)");
}

TEST(PipeSyntaxTest, IsRecognizedByItsBar) {
  EXPECT_TRUE(is_pipe("stdio | stdio:x"));
  EXPECT_FALSE(is_pipe("https://h/mcp"));
}

}  // namespace
}  // namespace fairlead::gateway::test::config_pipe_test
