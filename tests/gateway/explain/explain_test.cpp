#include "gateway/explain/explain.hpp"

#include <fairlead/protocol/revision.hpp>
#include <filesystem>

#include "gateway/fixtures/config_reader.hpp"
#include "gateway/fixtures/manual_clock_fixture.hpp"
#include "gateway/pin/pins.hpp"

namespace fairlead::gateway::test::explain_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct ExplainTest : ManualClockTest {
  std::vector<KnownServer> known;
  ExplainRequest request{.server = "git", .tool = "push"};

  void has(const std::string& name, const std::vector<std::string>& tools, std::string rest = "") {
    auto& of = known.emplace_back(KnownServer{.name = name});
    for (const auto& tool : tools)
      of.tools.push_back({tool, R"({"name":")" + tool + R"(","inputSchema":{})" + rest + "}"});
    of.revision = &protocol::newest_handshake();
  }
  Explained explain_call(const std::string& text) {
    const auto loaded = read_text(text);
    EXPECT_TRUE(loaded) << loaded.error().message;
    auto explained = explain(loaded->config, request, known, Registry::standard(), loop());
    EXPECT_TRUE(explained) << explained.error().message;
    return explained ? *explained : Explained{};
  }
  std::string verdict(const std::string& text) { return explain_call(text).routes.front().verdict; }
  /// Summary of the step of that name on the route to all servers.
  static std::string summary_of(const Explained& all, std::string_view step, std::size_t route = 0) {
    for (const auto& each : all.routes.at(route).steps) {
      if (each.step.starts_with(step)) return each.summary;
    }
    return "there is no such step";
  }
};

constexpr auto git_alone = "servers:\n  git: stdio:git-server\n";

TEST_F(ExplainTest, AllowsACallThatNoStepRefuses) {
  has("git", {"push"});
  const auto all = explain_call(git_alone);
  EXPECT_TRUE(all.allowed());
  EXPECT_EQ(all.routes[0].verdict, "would be allowed");
  EXPECT_EQ(all.routes[0].path, "/mcp");
  EXPECT_EQ(all.routes[1].path, "/s/git/mcp");
  EXPECT_EQ(all.revision, protocol::newest_handshake().name);
  EXPECT_EQ(all.era, "handshake");
  EXPECT_EQ(all.transport, "stdio");
  EXPECT_EQ(all.clients, "http://127.0.0.1:8080 (Streamable HTTP, SSE, WebSocket, plain calls)");
  EXPECT_THAT(all.unknown, IsEmpty());
}

TEST_F(ExplainTest, NamesTheRefusingStepWithItsLine) {
  has("git", {"push"});
  const auto all =
      explain_call("chain:\n  - allow(pu*)\n  - deny(push)\n  - timeout(3s)\nservers:\n  git: stdio:git-server\n");
  EXPECT_EQ(all.routes[0].verdict, R"(would be refused by deny("push") at chain.yaml:3)");
  EXPECT_FALSE(all.allowed());
  EXPECT_EQ(summary_of(all, "allow"), "matches, and passes");
  EXPECT_EQ(summary_of(all, "deny"), "matches, and is refused and hidden");
  EXPECT_EQ(summary_of(all, "timeout"), "is not reached");
}

TEST_F(ExplainTest, AllowRefusesWithoutAMatch) {
  has("git", {"push"});
  EXPECT_THAT(verdict("chain: ['allow(read_*)']\nservers:\n  git: stdio:git-server\n"), HasSubstr("refused by allow("));
  EXPECT_EQ(verdict("chain: ['allow(server=git)']\nservers:\n  git: stdio:git-server\n"), "would be allowed");
}

TEST_F(ExplainTest, FollowsNamesFromClientToServer) {
  has("git", {"push", "pull"});
  has("files", {"push"});
  const auto all = explain_call(
      "chain: ['rename(git__send=post)']\nservers:\n"
      "  git: {command: [x], prefix: git, chain: ['rename(push=send)']}\n"
      "  files: {command: [y], chain: ['rename(push=send)']}\n");
  EXPECT_EQ(all.tool, "push");
  EXPECT_EQ(all.routes[0].name, "post");
  EXPECT_EQ(all.routes[1].name, "send");
  EXPECT_EQ(summary_of(all, "rename"), "'post' becomes 'git__send'");
  EXPECT_EQ(summary_of(all, "naming"), "'git__send' is git's 'send': another server has that name too");
  EXPECT_EQ(all.routes[0].steps.back().summary, "is called for 'push'");
}

TEST_F(ExplainTest, AcceptsTheClientName) {
  has("git", {"push"});
  has("files", {"push"});
  request.tool = "git__push";
  EXPECT_EQ(explain_call("servers:\n  git: stdio:x\n  files: stdio:y\n").tool, "push");
  request.tool = "send";
  EXPECT_EQ(explain_call("chain: ['rename(push=send)']\nservers:\n  git: stdio:x\n").tool, "push");
}

TEST_F(ExplainTest, HiddenToolsCauseNoClashes) {
  has("git", {"push"});
  has("files", {"push"});
  EXPECT_EQ(explain_call("servers:\n  git: stdio:x\n  files: {command: [y], chain: ['deny(push)']}\n").routes[0].name,
            "push");
}

TEST_F(ExplainTest, EachRouteHasItsOwnVerdict) {
  has("git", {"push"});
  has("files", {"push"});
  const auto all = explain_call("chain: ['deny(git__push)']\nservers:\n  git: stdio:x\n  files: stdio:y\n");
  EXPECT_FALSE(all.routes[0].allowed);
  EXPECT_TRUE(all.routes[1].allowed);
}

TEST_F(ExplainTest, DependsOnTheCaller) {
  has("git", {"push"});
  const auto text = "chain: ['auth(ann)']\nservers:\n  git: stdio:x\n";
  EXPECT_THAT(verdict(text), HasSubstr("refused by auth("));
  request.caller = "bob";
  EXPECT_EQ(summary_of(explain_call(text), "auth"), "bob may not call here");
  request.caller = "ann";
  EXPECT_EQ(verdict(text), "would be allowed");
}

TEST_F(ExplainTest, AListenerWithKeysRefusesAnAnonymousCaller) {
  has("git", {"push"});
  const auto text = "listen:\n  keys: {ann: " + std::string(64, 'a') + "}\nservers:\n  git: stdio:x\n";
  EXPECT_THAT(verdict(text), HasSubstr("refused by listen"));
  request.caller = "bob";
  EXPECT_EQ(summary_of(explain_call(text), "listen"), "has no key of bob");
  request.caller = "ann";
  EXPECT_TRUE(explain_call(text).allowed());
}

TEST_F(ExplainTest, HeadersAreMaskedAndHaveTheirSource) {
  has("git", {"push"});
  request.caller = "ann";
  const auto all = explain_call(
      "chain:\n  - headers: {caller: ann, X-Key: hunter2-secret}\n  - headers: {caller: bob, X-Bob: no}\n"
      "servers:\n  git: {url: 'http://127.0.0.1:1/mcp', headers: {Authorization: Bearer hunter2-secret}}\n");
  const auto header = [](const char* name, const char* from) {
    return AllOf(Field(&ExplainedHeader::name, name), Field(&ExplainedHeader::value, "[redacted]"),
                 Field(&ExplainedHeader::from, HasSubstr(from)));
  };
  EXPECT_THAT(all.headers, Contains(header("Authorization", "servers.git.headers")));
  EXPECT_THAT(all.headers, Contains(header("X-Key", "headers at chain.yaml:2")));
  EXPECT_THAT(all.headers, Not(Contains(Field(&ExplainedHeader::name, "X-Bob"))));
  EXPECT_THAT(json::encode(all), Not(HasSubstr("hunter2")));
}

TEST_F(ExplainTest, AProcessHasNoHeadersAndItsSecretsAreMasked) {
  has("git", {"push"});
  const auto all = explain_call(
      "chain: ['headers(X-Key=hunter2-secret)']\nservers:\n  git:\n    command: [x, --token, hunter2-secret]\n"
      "    env: {A_TOKEN: hunter2-secret}\n");
  EXPECT_THAT(all.headers, IsEmpty());
  EXPECT_EQ(all.address, "x --token '[redacted]'");
  EXPECT_THAT(json::encode(all), Not(HasSubstr("hunter2")));
}

TEST_F(ExplainTest, CombinesLimitsOfChainAndServer) {
  has("git", {"push"});
  const auto all = explain_call(
      "chain: ['timeout(20s)', 'limit(10/s, concurrent=2)', 'cache(60s, tool=push)']\nservers:\n"
      "  git: {command: [x], timeout: 1m, max_time: 2m, max_in_flight: 3}\n");
  EXPECT_EQ(all.settings[0].value, "20s without progress, 2m in total");
  EXPECT_THAT(all.settings[1].value, HasSubstr("3 calls"));
  EXPECT_THAT(summary_of(all, "limit"), AllOf(HasSubstr("10 per second"), HasSubstr("2 concurrent")));
  EXPECT_THAT(summary_of(all, "cache"), HasSubstr("for 1m"));
}

TEST_F(ExplainTest, RetryReportsWhetherTheToolIsIdempotent) {
  has("git", {"push"}, R"(,"annotations":{"idempotentHint":true})");
  const auto text = "chain: [retry]\nservers:\n  git: stdio:x\n";
  EXPECT_THAT(summary_of(explain_call(text), "retry"), HasSubstr("read-only or idempotent"));
  known.clear();
  has("git", {"push"});
  EXPECT_THAT(summary_of(explain_call(text), "retry"), HasSubstr("only if the request was not sent"));
}

TEST_F(ExplainTest, NamesTheStepThatAnswers) {
  has("git", {"push"});
  EXPECT_THAT(verdict("chain: ['cli(push=true)']\nservers:\n  git: stdio:x\n"), HasSubstr("would be answered by cli("));
}

TEST_F(ExplainTest, ReportsUnpredictableSteps) {
  has("git", {"push"});
  EXPECT_THAT(verdict("chain: ['fault(drop=1%)']\nservers:\n  git: stdio:x\n"),
              AllOf(HasSubstr("would be allowed, unless fault("), HasSubstr("decides otherwise")));
}

TEST_F(ExplainTest, TheServerRefusesAnUnknownTool) {
  has("git", {"pull"});
  request.tool = "pul";
  const auto all = explain_call(git_alone);
  EXPECT_EQ(all.routes[0].verdict, "would be refused by git");
  EXPECT_EQ(summary_of(all, "git"), "has no tool 'pul'; did you mean 'pull'?");
}

TEST_F(ExplainTest, ReportsUnknownServers) {
  const auto all = explain_call("chain: ['rename(push=send)']\nservers:\n  git: stdio:x\n  files: stdio:y\n");
  EXPECT_TRUE(all.allowed());
  EXPECT_FALSE(all.revision);
  EXPECT_THAT(all.unknown, Contains(HasSubstr("another one may have this name")));
}

TEST_F(ExplainTest, AChangedPinRefuses) {
  const auto file = std::filesystem::temp_directory_path() / ("fairlead-explain-pins-" + std::to_string(::getpid()));
  Pins pins;
  pins["git"].of(ListKind::tools)["push"] = pin_of(R"({"name":"push","description":"other"})");
  ASSERT_TRUE(write_pins(file, pins));
  has("git", {"push"});
  const auto all = explain_call("pins: " + file.string() + "\nservers:\n  git: stdio:x\n");
  EXPECT_THAT(all.routes[0].verdict, HasSubstr("would be refused by pin("));
  EXPECT_THAT(summary_of(all, "pin"), HasSubstr("fairlead pin diff git"));
  std::filesystem::remove(file);
}

TEST_F(ExplainTest, RefusesUnknownServers) {
  request.server = "svn";
  const auto loaded = read_text(git_alone);
  EXPECT_FALSE(explain(loaded->config, request, known, Registry::standard(), loop()));
}

constexpr auto protected_git = R"(
listen:
  public_url: https://tools.example
  oauth:
    issuers: [https://auth.example]
    scopes: {all: [mcp], tools: {push: [git:write], "git*": [git:read]}, implies: {git:write: [git:read]}}
chain:
  - deny(push, scope=external:*)
  - limit(1/s, scope=trial)
servers:
  git: stdio:git-server
)";

TEST_F(ExplainTest, NamesTheScopesOfACall) {
  has("git", {"push"});
  request.caller = "ann";
  EXPECT_EQ(summary_of(explain_call(protected_git), "scopes"),
            "needs the scopes git:write, mcp (all: mcp; tools.push: git:write)");
  request.scopes = {"mcp", "git:write"};
  const auto allowed = explain_call(protected_git);
  EXPECT_TRUE(allowed.allowed());
  EXPECT_THAT(summary_of(allowed, "scopes"), HasSubstr("which the caller has"));
}

TEST_F(ExplainTest, RefusesACallWithoutItsScopes) {
  has("git", {"push"});
  request.caller = "ann";
  request.scopes = {"mcp", "git:read"};
  const auto refused = explain_call(protected_git);
  EXPECT_FALSE(refused.allowed());
  EXPECT_THAT(summary_of(refused, "scopes"), HasSubstr("but the caller has mcp, git:read"));
}

TEST_F(ExplainTest, AppliesStepsByScope) {
  has("git", {"push"});
  request.caller = "ann";
  request.scopes = {"mcp", "git:write"};
  EXPECT_THAT(summary_of(explain_call(protected_git), "deny"), HasSubstr("is not for this caller"));
  EXPECT_THAT(summary_of(explain_call(protected_git), "limit"), HasSubstr("is not for this caller"));
  request.scopes = {"mcp", "git:write", "trial", "external:week"};
  const auto external = explain_call(protected_git);
  EXPECT_THAT(summary_of(external, "deny"), HasSubstr("is refused"));
  EXPECT_FALSE(external.allowed());
  request.scopes.pop_back();
  EXPECT_THAT(summary_of(explain_call(protected_git), "limit"), HasSubstr("1 per second"));
}

}  // namespace
}  // namespace fairlead::gateway::test::explain_test
