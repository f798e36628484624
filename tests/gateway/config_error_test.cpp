#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/config_reading.hpp"

namespace fairlead::gateway::test::config_error_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Wrong {
  const char* name;
  const char* text;
  const char* message;
};

class WrongConfig : public testing::TestWithParam<Wrong> {};

TEST_P(WrongConfig, IsRefusedWithItsPathAndLine) {
  EXPECT_EQ(error_of(GetParam().text), GetParam().message);
}

const Wrong values[] = {
    {"Duration", "servers:\n  git:\n    command: [x]\n    timeout: 30 apples\n",
     "chain.yaml:4: servers.git.timeout: '30 apples' is no duration; write 30s, 500ms or 2m"},
    {"Size", "servers: {git: {command: [x], memory: 5 elephants}}",
     "chain.yaml:1: servers.git.memory: '5 elephants' is no size; write 512MB or 2GB"},
    {"Flag", "servers: {git: {command: [x], lazy: yes}}",
     "chain.yaml:1: servers.git.lazy: 'yes' is neither true nor false"},
    {"Number", "listen: {port: 70000}", "chain.yaml:1: listen.port: '70000' is no number from 0 to 65535"},
    {"Word", "servers: {git: {command: [x], share: nobody}}",
     "chain.yaml:1: servers.git.share: 'nobody' is none of shared, caller"},
    {"Revision", "servers: {git: {command: [x], revision: 1999-01-01}}",
     "chain.yaml:1: servers.git.revision: '1999-01-01' is none of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, "
     "2026-07-28"},
    {"Prefix", "servers: {git: {command: [x], prefix: 'a b'}}",
     "chain.yaml:1: servers.git.prefix: 'a b' is no prefix; use up to 32 letters, digits, _ and -"},
    {"Patience", "parking: {patience: 1h}",
     "chain.yaml:1: parking.patience: must be more than nothing, and 10m at most"},
    {"Path", "listen: {base_path: tools}", "chain.yaml:1: listen.base_path: 'tools' is no path; write it like /mcp"},
    {"Url", "servers: {a: {url: 'ftp://h/x'}}",
     "chain.yaml:1: servers.a.url: 'ftp://h/x' is no URL of a server; write http://, https://, ws://, wss://, "
     "unix:/path "
     "or tcp:address:port"},
    {"Hash", "listen: {keys: {alice: hunter2hunter2}}",
     "chain.yaml:1: listen.keys.alice: is no SHA-256 in hex; give the hash of the secret, as sha256sum prints it"},
    {"Header", "servers: {a: {url: 'http://h/', headers: {'a b': c}}}",
     "chain.yaml:1: servers.a.headers[\"a b\"]: is no name of a header"},
    {"CommandLine", "servers: {a: {command: npx -y server}}",
     "chain.yaml:1: servers.a.command: is a whole line, and no shell reads it; write a list: [npx, -y, some-server]"},
    {"Step", "chain: ['30 s']", "chain.yaml:1: chain[0]: '30 s' is no step of a chain; write it like timeout(30s)"},
    {"Variable", "servers:\n  a:\n    command: [x, '${NOT_THERE}']\n",
     "chain.yaml:3: servers.a.command[1]: the variable NOT_THERE is not set; set it, or write ${NOT_THERE:-default}"},
};
INSTANTIATE_TEST_SUITE_P(Values, WrongConfig, testing::ValuesIn(values),
                         [](const auto& wrong) { return wrong.param.name; });

const Wrong shapes[] = {
    {"UnknownKey", "servers:\n  git:\n    command: [x]\n    timout: 3s\n",
     "chain.yaml:4: servers.git.timout: is not known; did you mean timeout?"},
    {"UnknownRootKey", "lisen: {}", "chain.yaml:1: lisen: is not known; did you mean listen?"},
    {"UnknownWithoutNeighbour", "log: {wood: 1}",
     "chain.yaml:1: log.wood: is not known; there are level, format, calls"},
    {"ListForMap", "listen: [1]", "chain.yaml:1: listen: is a list, where a map belongs"},
    {"MapForList", "listen: {allow_hosts: {a: b}}", "chain.yaml:1: listen.allow_hosts: is a map, where a list belongs"},
    {"MapForValue", "servers: {a: {url: {b: c}}}",
     "chain.yaml:1: servers.a.url: is a map, where a single value belongs"},
    {"Nothing", "servers: {a: {url: }}", "chain.yaml:1: servers.a.url: is empty; give it a value, or leave it out"},
    {"TextForAll", "just words", "chain.yaml:1: is a single value, where a map belongs"},
    {"ServerInWords", "servers: {a: hello}",
     "chain.yaml:1: servers.a: is neither a URL nor a command; write https://host/mcp, or stdio:npx -y some-server"},
    {"TwiceInYaml", "servers:\n  a: {command: [x]}\n  a: {command: [y]}\n",
     "chain.yaml:3: 'a' is written twice, first in line 2; keep one"},
    {"TwiceInJson", "{\"listen\": {\"port\": 1,\n\"port\": 2}}",
     "chain.yaml:2: 'port' is written twice, first in line 1; keep one"},
    {"Tab", "servers:\n\ta: {command: [x]}\n", "chain.yaml:2: begins with a tab; YAML is indented by spaces"},
    {"TwoDocuments", "listen: {}\n---\nlisten: {}\n",
     "chain.yaml:3: begins a second document; one file holds one configuration"},
    {"JsonComma", "{\"listen\":\n {\"port\": 1}\n \"log\": {}}",
     "chain.yaml:3: is no JSON here: expected ',' or a closing bracket"},
    {"JsonString", "{\"listen\": {},\n\n \"log: {}}\n", "chain.yaml:3: is no JSON here: expected a closing quote"},
    {"JsonLineBreak", "{\"listen\": {},\n \"log: {},\n \"merge\": {}}\n",
     "chain.yaml:2: is no JSON here: expected a closing quote"},
    {"NotUtf8", "listen: {}\nlog: {level: \xff}\n",
     "chain.yaml:2: holds bytes that are not UTF-8 text; save it as UTF-8"},
};
INSTANTIATE_TEST_SUITE_P(Shapes, WrongConfig, testing::ValuesIn(shapes),
                         [](const auto& wrong) { return wrong.param.name; });

const Wrong wholes[] = {
    {"Nowhere", "servers:\n  a: {timeout: 3s}\n",
     "chain.yaml:2: servers.a: says nowhere where the server is; give it a command or a url"},
    {"Both", "servers:\n  a: {command: [x], url: 'http://h/'}\n",
     "chain.yaml:2: servers.a: has both a command and a url; keep one"},
    {"EnvOfUrl", "servers:\n  a:\n    url: http://h/\n    env: {A: b}\n",
     "chain.yaml:4: servers.a.env: is for servers with a command; this one has a url"},
    {"CwdOfUrl", "servers:\n  a:\n    url: http://h/\n    cwd: /\n",
     "chain.yaml:4: servers.a.cwd: is for servers with a command; this one has a url"},
    {"CacertOfCommand", "mcpServers:\n  a:\n    command: x\n    cacert: f\n",
     "chain.yaml:4: mcpServers.a.cacert: is for servers with a url; this one has a command"},
    {"HalfOfTls", "listen:\n  tls: {cert: a}\n",
     "chain.yaml:2: listen.tls.cert: goes together with its other half; give both a cert and a key"},
    {"NobodyComesIn", "listen:\n  http: false\n", "chain.yaml:1: listen: lets nobody in; turn on http, stdio or unix"},
    {"PathsTwice", "listen:\n  paths: {sse: /mcp}\n", "chain.yaml:2: listen.paths.sse: is the path of mcp already"},
    {"PrefixTwice", "servers:\n  a: {command: [x], prefix: p}\n  b: {command: [x], prefix: p}\n",
     "chain.yaml:3: servers.b.prefix: 'p' is the prefix of a already; give each its own"},
};
INSTANTIATE_TEST_SUITE_P(Wholes, WrongConfig, testing::ValuesIn(wholes),
                         [](const auto& wrong) { return wrong.param.name; });

TEST(ConfigErrors, AreAllReportedAtOnce) {
  EXPECT_EQ(error_of("servers:\n  a: {command: [x], lazy: 7, timeot: 1s}\nlisten: {port: many}\nmrege: {}\n"),
            "chain.yaml:2: servers.a.lazy: '7' is neither true nor false\n"
            "chain.yaml:2: servers.a.timeot: is not known; did you mean timeout?\n"
            "chain.yaml:3: listen.port: 'many' is no number from 0 to 65535\n"
            "chain.yaml:4: mrege: is not known; did you mean merge?");
}

TEST(ConfigErrors, Finding_D5_ServerIsNotServers) {
  EXPECT_EQ(error_of("server:\n  git: {command: [x]}\n"), "chain.yaml:1: server: is not known; did you mean servers?");
  EXPECT_EQ(error_of("server:\n"), "chain.yaml:1: server: is not known; did you mean servers?");
  EXPECT_EQ(error_of("server: {debug: true, debug_file: x.log}\n"), "no error");
}

TEST(ConfigErrors, Finding_D6_OfTheWholeAreToldWithThoseOfItsParts) {
  EXPECT_EQ(error_of("servers:\n  a: {command: [x], lazy: 7}\n  b: {timeout: 3s}\nlisten: {paths: {sse: /mcp}}\n"),
            "chain.yaml:2: servers.a.lazy: '7' is neither true nor false\n"
            "chain.yaml:3: servers.b: says nowhere where the server is; give it a command or a url\n"
            "chain.yaml:4: listen.paths.sse: is the path of mcp already");
}

TEST(ConfigErrors, Finding_D6_WhatCouldNotBeReadIsNotToldToBeMissing) {
  EXPECT_EQ(error_of("servers: {a: {comand: [x]}}\nlisten: {tls: {cert: '${NOT_THERE}', key: k}}\n"),
            "chain.yaml:1: servers.a.comand: is not known; did you mean command?\n"
            "chain.yaml:2: listen.tls.cert: the variable NOT_THERE is not set; set it, or write ${NOT_THERE:-default}");
}

TEST(ConfigErrors, ComeFromEveryFileUnderItsOwnName) {
  const std::vector<Document> files{{"a.yaml", "listen: {port: x}"}, {"b.json", "{\n\"log\": {\"level\": \"loud\"}}"}};
  const auto loaded = read_config(files, world());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "a.yaml:1: listen.port: 'x' is no number from 0 to 65535\n"
            "b.json:2: log.level: 'loud' is none of trace, debug, info, warning, error, off");
}

TEST(ConfigErrors, NeverRepeatASecret) {
  const std::string token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  EXPECT_THAT(error_of("servers: {a: {command: [x], timeout: " + token + "}}"), Not(HasSubstr(token)));
  EXPECT_THAT(error_of("servers: {a: {url: 'ftp://me:hunter22@h/x'}}"), Not(HasSubstr("hunter22")));
  EXPECT_THAT(error_of("listen: {keys: {alice: hunter22}}"), Not(HasSubstr("hunter22")));
}

TEST(ConfigErrors, ShowAVariableByItsNameAndNotByItsValue) {
  EXPECT_EQ(error_of("listen: {port: '${SECRET}'}", world({{"SECRET", "hunter22"}})),
            "chain.yaml:1: listen.port: '${SECRET}' is no number from 0 to 65535");
}

TEST(ConfigErrors, AnEnvFileThatIsWrongIsShownToTheLine) {
  EXPECT_EQ(error_of("servers: {a: {command: [x], env_file: .env}}", world({}, {{".env", "A=1\nnonsense\n"}})),
            "chain.yaml:1: servers.a.env_file: .env:2: write NAME=value");
}

}  // namespace
}  // namespace fairlead::gateway::test::config_error_test
