#include "gateway/config/show_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::config_show_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string shown(const std::string& text, const config::ReadOptions& options = test_options()) {
  const auto loaded = read_text(text, options);
  return loaded ? show_config(*loaded) : loaded.error().message;
}

TEST(ShowConfig, ShowsTheSourceOfEveryValue) {
  const auto text = shown("servers:\n  git:\n    command: [git-server]\n    timeout: ${WAIT}\n    env:\n      A: b\n",
                          test_options({{"WAIT", "5s"}}));
  EXPECT_THAT(text, HasSubstr("servers:\n  git:\n    command: [git-server]  # chain.yaml:3\n"));
  EXPECT_THAT(text, HasSubstr("    timeout: 5s  # env WAIT, at chain.yaml:4\n"));
  EXPECT_THAT(text, HasSubstr("    env:\n      A: b  # chain.yaml:6\n"));
  EXPECT_THAT(text, HasSubstr("    lazy: true  # default\n"));
  EXPECT_THAT(text, HasSubstr("listen:\n  http: true  # default\n  host: 127.0.0.1  # default\n"));
}

TEST(ShowConfig, ShowsValuesOfTheCommandLine) {
  auto loaded = read_text("listen: {port: 1}");
  ASSERT_TRUE(loaded);
  loaded->config.listen.port = 7;
  loaded->sources.set("listen.port", {});
  EXPECT_THAT(show_config(*loaded), HasSubstr("  port: 7  # command line\n"));
}

TEST(ShowConfig, MasksSecrets) {
  const auto text = shown(R"(
servers:
  a:
    command: [run, --api-key, k1hunter, --token=k2hunter, -e, DB_PASSWORD=k3hunter, --verbose, plain]
    env: {GITHUB_TOKEN: k4hunter, OPENAI_KEY: k5hunter, EDITOR: vi}
  b:
    url: https://me:k6hunter@h.example/mcp?api_key=k7hunter
    headers: {Authorization: Bearer k8hunter, X-Whatever: k9hunter, Accept-Language: de}
chain: [auth(token=kahunter)]
listen: {keys: {alice: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}}
)");
  EXPECT_THAT(text, Not(HasSubstr("hunter")));
  EXPECT_THAT(text, Not(HasSubstr("9f86d0")));
  EXPECT_THAT(text, HasSubstr("plain"));
  EXPECT_THAT(text, HasSubstr("EDITOR: vi"));
  EXPECT_THAT(text, HasSubstr("Accept-Language: de"));
  EXPECT_THAT(text, HasSubstr("alice: \"[redacted]\""));
}

TEST(ShowConfig, ShowsKeysOfTheServersKindOnly) {
  EXPECT_THAT(shown("servers: {a: {command: [x]}}"), Not(HasSubstr("headers")));
  EXPECT_THAT(shown("servers: {a: 'http://h/'}"), Not(HasSubstr("memory")));
}

TEST(ShowConfig, ReadsBackAsTheSameConfiguration) {
  const auto loaded = read_text(R"(
servers:
  "odd name": {command: ["x", "", "a: b", "- c", "$$HOME", "line\nbreak", "null"], memory: 3MB, chain: [a]}
  docs: {url: "https://h.example/mcp?x=1", headers: {Accept: "*/*"}, idle_stop: 90s, max_time: 0}
listen: {port: 9, allow_hosts: ["a:1", "*"], unix: /tmp/x, tls: {cert: /c, key: /k}}
chain: ['log("a, \"b\" $$ \\", level=x)', redact]
naming: {separator: "."}
log: {level: off}
)");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto again = read_text(show_config(*loaded));
  ASSERT_TRUE(again) << again.error().message << "\n" << show_config(*loaded);
  EXPECT_EQ(again->config, loaded->config) << show_config(*loaded) << show_config(*again);
}

}  // namespace
}  // namespace fairlead::gateway::test::config_show_test
