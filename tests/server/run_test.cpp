#include <fairlead/server/server.hpp>
#include <string>
#include <vector>

#include "server/harness.hpp"

namespace fairlead::server::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Ran {
  int code = 0;
  std::string out = {};
  std::string err = {};
};

Ran run_with(std::vector<std::string> arguments) {
  Server app{"demo", "1.0"};
  app.title("The Demo").description("Shows things.");
  arguments.insert(arguments.begin(), "/opt/bin/demo-server");
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran ran{.code = app.run(static_cast<int>(arguments.size()), argv.data())};
  ran.out = testing::internal::GetCapturedStdout();
  ran.err = testing::internal::GetCapturedStderr();
  return ran;
}

TEST(ServerRun, SaysItsVersion) {
  const auto ran = run_with({"--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "demo 1.0\n");
}

TEST(ServerRun, HelpsWithWhatItIsAndTakes) {
  for (const char* option : {"--help", "-h"}) {
    const auto ran = run_with({"--stdio", option});
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out, AllOf(HasSubstr("usage: demo-server [--stdio]"), HasSubstr("The Demo, an MCP server.\n"),
                               HasSubstr("Shows things.\n"), HasSubstr("--version")));
    EXPECT_EQ(ran.err, "");
  }
}

TEST(ServerRun, RefusesWhatItDoesNotKnow) {
  for (const auto& [argument, what] : {std::pair("--sdtio", "unknown option"), std::pair("x", "unexpected argument")}) {
    const auto ran = run_with({"--stdio", argument});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err,
              "demo-server: " + std::string(what) + " '" + argument + "'; demo-server --help lists what there is\n");
  }
}

}  // namespace
}  // namespace fairlead::server::test
