#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::config_error_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct InvalidConfig {
  const char* name;
  const char* text;
  const char* message;
};

class InvalidConfigTest : public testing::TestWithParam<InvalidConfig> {};

TEST_P(InvalidConfigTest, IsRefusedWithItsPathAndLine) {
  EXPECT_EQ(error_of(GetParam().text), GetParam().message);
}

const InvalidConfig values[] = {
    {"Duration", "servers:\n  git:\n    command: [x]\n    timeout: 30 apples\n",
     "chain.yaml:4: servers.git.timeout: expected a duration such as 30s, 500ms or 2m, got '30 apples'"},
    {"Size", "servers: {git: {command: [x], memory: 5 elephants}}",
     "chain.yaml:1: servers.git.memory: expected a size such as 512MB or 2GB, got '5 elephants'"},
    {"Flag", "servers: {git: {command: [x], lazy: yes}}",
     "chain.yaml:1: servers.git.lazy: expected true or false, got 'yes'"},
    {"Number", "listen: {port: 70000}", "chain.yaml:1: listen.port: expected a number from 0 to 65535, got '70000'"},
    {"UnknownEnumValue", "servers: {git: {command: [x], share: none}}",
     "chain.yaml:1: servers.git.share: expected one of shared, caller, got 'none'"},
    {"Revision", "servers: {git: {command: [x], revision: 1999-01-01}}",
     "chain.yaml:1: servers.git.revision: expected one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, "
     "2026-07-28, got '1999-01-01'"},
    {"Prefix", "servers: {git: {command: [x], prefix: 'a b'}}",
     "chain.yaml:1: servers.git.prefix: expected a prefix of up to 32 letters, digits, _ and -, got 'a b'"},
    {"PendingInputTimeout", "pending_input: {timeout: 1h}",
     "chain.yaml:1: pending_input.timeout: expected more than 0 and at most 10m"},
    {"Path", "listen: {base_path: tools}", "chain.yaml:1: listen.base_path: expected a path such as /mcp, got 'tools'"},
    {"Url", "servers: {a: {url: 'ftp://h/x'}}",
     "chain.yaml:1: servers.a.url: 'ftp://h/x' is not a server URL; write http://, https://, ws://, wss://, "
     "unix:/path "
     "or tcp:address:port"},
    {"Hash", "listen: {keys: {alice: hunter2hunter2}}",
     "chain.yaml:1: listen.keys.alice: expected a SHA-256 in hex: the hash of the secret, as sha256sum prints it"},
    {"Header", "servers: {a: {url: 'http://h/', headers: {'a b': c}}}",
     "chain.yaml:1: servers.a.headers[\"a b\"]: is not a header name"},
    {"CommandLine", "servers: {a: {command: npx -y server}}",
     "chain.yaml:1: servers.a.command: is a command line, but no shell runs it; write a list: [npx, -y, some-server]"},
    {"Step", "chain: ['30 s']", "chain.yaml:1: chain[0]: '30 s' is not a chain step; write it like timeout(30s)"},
    {"Variable", "servers:\n  a:\n    command: [x, '${NOT_THERE}']\n",
     "chain.yaml:3: servers.a.command[1]: the variable NOT_THERE is not set; set it, or write ${NOT_THERE:-default}"},
};
INSTANTIATE_TEST_SUITE_P(Values, InvalidConfigTest, testing::ValuesIn(values),
                         [](const auto& wrong) { return wrong.param.name; });

const InvalidConfig shapes[] = {
    {"UnknownKey", "servers:\n  git:\n    command: [x]\n    timout: 3s\n",
     "chain.yaml:4: servers.git.timout: unknown key; did you mean timeout?"},
    {"UnknownRootKey", "lisen: {}", "chain.yaml:1: lisen: unknown key; did you mean listen?"},
    {"UnknownKeyWithoutSuggestion", "log: {wood: 1}",
     "chain.yaml:1: log.wood: unknown key; valid keys are level, format, calls"},
    {"ListForMap", "listen: [1]", "chain.yaml:1: listen: expected a map, got a list"},
    {"MapForList", "listen: {allow_hosts: {a: b}}", "chain.yaml:1: listen.allow_hosts: expected a list, got a map"},
    {"MapForValue", "servers: {a: {url: {b: c}}}", "chain.yaml:1: servers.a.url: expected a single value, got a map"},
    {"EmptyUrl", "servers: {a: {url: }}", "chain.yaml:1: servers.a.url: is empty; give it a value, or leave it out"},
    {"PlainTextFile", "just words", "chain.yaml:1: expected a map, got a single value"},
    {"ServerAsPlainText", "servers: {a: hello}",
     "chain.yaml:1: servers.a: is neither a URL nor a command; write https://host/mcp, or stdio:npx -y some-server"},
    {"TwiceInYaml", "servers:\n  a: {command: [x]}\n  a: {command: [y]}\n",
     "chain.yaml:3: 'a' is written twice, first in line 2; keep one"},
    {"TwiceInJson", "{\"listen\": {\"port\": 1,\n\"port\": 2}}",
     "chain.yaml:2: 'port' is written twice, first in line 1; keep one"},
    {"Tab", "servers:\n\ta: {command: [x]}\n", "chain.yaml:2: begins with a tab; YAML is indented by spaces"},
    {"TwoDocuments", "listen: {}\n---\nlisten: {}\n",
     "chain.yaml:3: begins a second document; one file holds one configuration"},
    {"JsonComma", "{\"listen\":\n {\"port\": 1}\n \"log\": {}}",
     "chain.yaml:3: is not valid JSON here: expected ',' or a closing bracket"},
    {"JsonString", "{\"listen\": {},\n\n \"log: {}}\n",
     "chain.yaml:3: is not valid JSON here: expected a closing quote"},
    {"JsonLineBreak", "{\"listen\": {},\n \"log: {},\n \"naming\": {}}\n",
     "chain.yaml:2: is not valid JSON here: expected a closing quote"},
    {"NotUtf8", "listen: {}\nlog: {level: \xff}\n",
     "chain.yaml:2: contains bytes that are not UTF-8; save it as UTF-8"},
};
INSTANTIATE_TEST_SUITE_P(Shapes, InvalidConfigTest, testing::ValuesIn(shapes),
                         [](const auto& wrong) { return wrong.param.name; });

const InvalidConfig wholes[] = {
    {"ServerWithoutAddress", "servers:\n  a: {timeout: 3s}\n", "chain.yaml:2: servers.a: needs a command or a url"},
    {"Both", "servers:\n  a: {command: [x], url: 'http://h/'}\n",
     "chain.yaml:2: servers.a: has both a command and a url; keep one of them"},
    {"EnvOfUrl", "servers:\n  a:\n    url: http://h/\n    env: {A: b}\n",
     "chain.yaml:4: servers.a.env: is for servers with a command; this one has a url"},
    {"CwdOfUrl", "servers:\n  a:\n    url: http://h/\n    cwd: /\n",
     "chain.yaml:4: servers.a.cwd: is for servers with a command; this one has a url"},
    {"CacertOfCommand", "mcpServers:\n  a:\n    command: x\n    cacert: f\n",
     "chain.yaml:4: mcpServers.a.cacert: is for servers with a url; this one has a command"},
    {"TlsWithoutKey", "listen:\n  tls: {cert: a}\n", "chain.yaml:2: listen.tls.cert: needs both cert and key"},
    {"NoListener", "listen:\n  http: false\n", "chain.yaml:1: listen: has no listener; enable http, stdio or unix"},
    {"PathsTwice", "listen:\n  paths: {sse: /mcp}\n", "chain.yaml:2: listen.paths.sse: is already the path of mcp"},
    {"PrefixTwice", "servers:\n  a: {command: [x], prefix: p}\n  b: {command: [x], prefix: p}\n",
     "chain.yaml:3: servers.b.prefix: 'p' is already the prefix of a; give each server its own"},
};
INSTANTIATE_TEST_SUITE_P(Wholes, InvalidConfigTest, testing::ValuesIn(wholes),
                         [](const auto& wrong) { return wrong.param.name; });

TEST(ConfigErrors, AreAllReportedAtOnce) {
  EXPECT_EQ(error_of("servers:\n  a: {command: [x], lazy: 7, timeot: 1s}\nlisten: {port: many}\nnameing: {}\n"),
            "chain.yaml:2: servers.a.lazy: expected true or false, got '7'\n"
            "chain.yaml:2: servers.a.timeot: unknown key; did you mean timeout?\n"
            "chain.yaml:3: listen.port: expected a number from 0 to 65535, got 'many'\n"
            "chain.yaml:4: nameing: unknown key; did you mean naming?");
}

TEST(ConfigErrors, Finding_D5_ServerIsNotServers) {
  EXPECT_EQ(error_of("server:\n  git: {command: [x]}\n"), "chain.yaml:1: server: unknown key; did you mean servers?");
  EXPECT_EQ(error_of("server:\n"), "chain.yaml:1: server: unknown key; did you mean servers?");
  EXPECT_EQ(error_of("server: {debug: true, debug_file: x.log}\n"), "no error");
}

TEST(ConfigErrors, Finding_D6_ReportValidationAndSyntaxTogether) {
  EXPECT_EQ(error_of("servers:\n  a: {command: [x], lazy: 7}\n  b: {timeout: 3s}\nlisten: {paths: {sse: /mcp}}\n"),
            "chain.yaml:2: servers.a.lazy: expected true or false, got '7'\n"
            "chain.yaml:3: servers.b: needs a command or a url\n"
            "chain.yaml:4: listen.paths.sse: is already the path of mcp");
}

TEST(ConfigErrors, Finding_D6_UnreadableValuesAreNotReportedAsMissing) {
  EXPECT_EQ(error_of("servers: {a: {comand: [x]}}\nlisten: {tls: {cert: '${NOT_THERE}', key: k}}\n"),
            "chain.yaml:1: servers.a.comand: unknown key; did you mean command?\n"
            "chain.yaml:2: listen.tls.cert: the variable NOT_THERE is not set; set it, or write ${NOT_THERE:-default}");
}

TEST(ConfigErrors, NameTheirFile) {
  const std::vector<config::Document> files{{"a.yaml", "listen: {port: x}"},
                                            {"b.json", "{\n\"log\": {\"level\": \"loud\"}}"}};
  const auto loaded = read_config(files, test_options());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "a.yaml:1: listen.port: expected a number from 0 to 65535, got 'x'\n"
            "b.json:2: log.level: expected one of trace, debug, info, warning, error, off, got 'loud'");
}

TEST(ConfigErrors, NeverRepeatASecret) {
  const std::string token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  EXPECT_THAT(error_of("servers: {a: {command: [x], timeout: " + token + "}}"), Not(HasSubstr(token)));
  EXPECT_THAT(error_of("servers: {a: {url: 'ftp://me:hunter22@h/x'}}"), Not(HasSubstr("hunter22")));
  EXPECT_THAT(error_of("listen: {keys: {alice: hunter22}}"), Not(HasSubstr("hunter22")));
}

TEST(ConfigErrors, ShowVariablesByNameOnly) {
  EXPECT_EQ(error_of("listen: {port: '${SECRET}'}", test_options({{"SECRET", "hunter22"}})),
            "chain.yaml:1: listen.port: expected a number from 0 to 65535, got '${SECRET}'");
}

TEST(ConfigErrors, NameTheLineOfAnEnvFile) {
  EXPECT_EQ(error_of("servers: {a: {command: [x], env_file: .env}}", test_options({}, {{".env", "A=1\nnonsense\n"}})),
            "chain.yaml:1: servers.a.env_file: .env:2: write NAME=value");
}

}  // namespace
}  // namespace fairlead::gateway::test::config_error_test
