#include <fairlead/gateway/command_tools.hpp>

#include <deque>
#include <fairlead/gateway/registry.hpp>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "gateway/fixtures/chain_fixture.hpp"
#include "gateway/middleware/program_arguments.hpp"

namespace fairlead::gateway::test::command_tools_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct CommandToolsTest : ChainTest {
  std::shared_ptr<Service> with(ArgumentList arguments) {
    auto made = Registry::standard().make("cli", std::move(arguments), loop.loop());
    EXPECT_TRUE(made) << made.error().message;
    return chain().then(std::shared_ptr<Middleware>(std::move(*made))).then(server);
  }
  std::string run(const std::string& line, const std::string& arguments) {
    return text(*with({{"t", line}}), tool_call("t", arguments));
  }
  static Task<Result<Reply>> nothing_like_that() { co_return refuse("Method not found", -32601); }
  static Task<Result<Reply>> replied(std::string body) { co_return reply(std::move(body)); }
};

TEST_F(CommandToolsTest, RunsAProgramWithItsArgumentsAndNoShell) {
  EXPECT_EQ(run("printf %s|", R"({"_args":["a b","$HOME;`id`"]})"),
            R"({"content":[{"type":"text","text":"STDOUT:\na b|$HOME;`id`|"}],"isError":false})");
}

TEST_F(CommandToolsTest, ReturnsStderrAndExitCode) {
  EXPECT_EQ(run("sh -c 'echo out; echo err >&2; exit 3'", "{}"),
            R"({"content":[{"type":"text","text":"STDOUT:\nout\n\nSTDERR:\nerr\n\nExit code: 3"}],"isError":false})");
  EXPECT_THAT(run("true", "{}"), HasSubstr("The command completed with no output"));
}

TEST_F(CommandToolsTest, AMissingProgramIsAToolError) {
  EXPECT_THAT(run("there-is-no-such-program", "{}"),
              AllOf(HasSubstr("Error executing t: "), HasSubstr(R"("isError":true)")));
}

TEST_F(CommandToolsTest, KillsAProgramAfterItsTimeout) {
  const auto service = with({{"t", "sleep 1000"}, {"timeout", "100ms"}});
  EXPECT_THAT(text(*service, tool_call("t")), HasSubstr("Error executing t: it took longer than 100ms"));
}

TEST_F(CommandToolsTest, ProgramsHaveNoInput) {
  EXPECT_THAT(run("cat", "{}"), HasSubstr("no output"));
}

TEST_F(CommandToolsTest, ListsProgramsBesideTheToolsOfTheServer) {
  server.on_call = [](Call&) { return replied(R"({"tools":[{"name":"own"},{"name":"ls"}],"x": 1})"); };
  const auto listed = text(*with({{"", "ls"}}), call_of("tools/list"));
  EXPECT_THAT(listed, StartsWith(R"({"tools":[{"name":"own"},{"name":"ls","description":")"));
  EXPECT_THAT(listed, AllOf(HasSubstr(R"("almost-all":)"), HasSubstr(R"("_args":)"), Not(HasSubstr(R"("help":)"))));
  EXPECT_TRUE(json::Payload::parse(listed));
  EXPECT_EQ(text(*with({{"", "ls"}}), call_of("tools/list", R"({"cursor":"x"})")),
            R"({"tools":[{"name":"own"}],"x": 1})");
}

TEST_F(CommandToolsTest, AddsToolsToAServerWithoutTools) {
  server.on_call = [](Call& call) {
    return call.method == "initialize" ? replied(R"({"capabilities":{},"serverInfo":{}})") : nothing_like_that();
  };
  EXPECT_EQ(text(*with({{"", "true"}}), call_of("initialize")), R"({"capabilities":{"tools":{}},"serverInfo":{}})");
  EXPECT_THAT(text(*with({{"", "true"}}), call_of("tools/list")), StartsWith(R"({"tools":[{"name":"true")"));
}

TEST_F(CommandToolsTest, ForwardsOtherTools) {
  EXPECT_EQ(text(*with({{"", "ls"}}), tool_call("own")), R"({"name":"own","arguments":{}})");
}

TEST(CommandLine, ReadsOptionsFromHelpText) {
  EXPECT_THAT(
      long_options("usage: x [--dry-run]\n  -a, --all   do all --\n      --color=WHEN\n  --help --version --all a--b"),
      ElementsAre("dry-run", "all", "color"));
  EXPECT_EQ(first_sentence("Usage: ls [OPTION]...\n\n  List information about files.  \n"),
            "List information about files.");
}

TEST(CommandLine, ConvertsArgumentsToOptions) {
  EXPECT_THAT(*command_arguments(
                  R"({"a":true,"all":true,"no":false,"n":null,"depth":2,"x":["1",2],"_hint":{},"_args":["-z"]})"),
              ElementsAre("-a", "--all", "--depth", "2", "-x", "1", "-x", "2", "-z"));
  EXPECT_FALSE(command_arguments(R"({"a=b;c":true})"));
  EXPECT_FALSE(command_arguments(R"({"-exec":"x"})"));
  EXPECT_FALSE(command_arguments(R"({"a":{}})"));
  EXPECT_FALSE(command_arguments(R"({"_args":["a\u0000b"]})"));
}

TEST_F(CommandToolsTest, RequiresACommand) {
  const auto made = Registry::standard().make("cli", {}, loop.loop());
  EXPECT_THAT(made.error().message, HasSubstr("command: is missing"));
}

/// A temporary file for programs.
struct TemporaryFile {
  std::string path = testing::TempDir() + "fairlead-cli-" + std::to_string(::getpid());
  ~TemporaryFile() { std::filesystem::remove(path); }
};

TEST_F(CommandToolsTest, Finding_S20_LimitsConcurrentProcesses) {
  const TemporaryFile file;
  std::ofstream(file.path) << "x";
  const auto service = with({{"t", "sh -c 'while [ -e " + file.path + " ]; do sleep 0.02; done'"}, {"processes", "2"}});
  auto first = tool_call("t"), second = tool_call("t");
  const auto one = loop.start(service->call(first)), two = loop.start(service->call(second));
  EXPECT_THAT(
      text(*service, tool_call("t")),
      AllOf(HasSubstr("Error executing t: busy, 2 programs are running already"), HasSubstr(R"("isError":true)")));
  std::filesystem::remove(file.path);
  EXPECT_TRUE(loop.finish(one));
  EXPECT_TRUE(loop.finish(two));
  EXPECT_THAT(text(*service, tool_call("t")), HasSubstr("no output"));
}

TEST_F(CommandToolsTest, Finding_S20_RunsHelpOnceForConcurrentLists) {
  const TemporaryFile file;
  const auto service = with({{"t", "sh -c 'echo started >> " + file.path + "; echo Usage: t with many words'"}});
  std::deque<Call> calls(20, call_of("tools/list"));
  std::vector<fairlead::test::Pending<Result<Reply>>> lists;
  for (auto& call : calls) lists.push_back(loop.start(service->call(call)));
  for (const auto& list : lists) EXPECT_TRUE(loop.finish(list));
  std::ifstream started(file.path);
  const std::string lines{std::istreambuf_iterator<char>(started), {}};
  EXPECT_EQ(lines, "started\n");
}

}  // namespace
}  // namespace fairlead::gateway::test::command_tools_test
