#include <fairlead/server/server.hpp>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "server/harness.hpp"

namespace fairlead::server::test::run_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct RunResult {
  int code = 0;
  std::string out = {};
  std::string err = {};
};

RunResult run_with(std::vector<std::string> arguments) {
  Server app{"demo", "1.0"};
  app.title("The Demo").description("Shows things.");
  arguments.insert(arguments.begin(), "/opt/bin/demo-server");
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  RunResult ran{.code = app.run(static_cast<int>(arguments.size()), argv.data())};
  ran.out = testing::internal::GetCapturedStdout();
  ran.err = testing::internal::GetCapturedStderr();
  return ran;
}

TEST(ServerRun, PrintsTheVersion) {
  const auto ran = run_with({"--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "demo 1.0\n");
}

TEST(ServerRun, PrintsHelp) {
  for (const char* option : {"--help", "-h"}) {
    const auto ran = run_with({"--stdio", option});
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out,
                AllOf(HasSubstr("usage: demo-server [--stdio | --http <address>]"),
                      HasSubstr("The Demo, an MCP server.\n"), HasSubstr("Shows things.\n"), HasSubstr("--version")));
    EXPECT_EQ(ran.err, "");
  }
}

TEST(ServerRun, RejectsUnknownNames) {
  for (const auto& [argument, what] : {std::pair("--sdtio", "unknown option"), std::pair("x", "unexpected argument")}) {
    const auto ran = run_with({"--stdio", argument});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err,
              "demo-server: " + std::string(what) + " '" + argument + "'; demo-server --help lists the options\n");
  }
}

TEST(ServerRun, RejectsInconsistentHttpOptions) {
  const std::string http = "--http=127.0.0.1:0";
  EXPECT_THAT(run_with({"--workers", "2"}).err, HasSubstr("--workers needs --http"));
  EXPECT_THAT(run_with({http, "--tls-cert", "a.pem"}).err, HasSubstr("give both --tls-cert and --tls-key"));
  EXPECT_THAT(run_with({http, "--tls-client-ca", "a.pem"}).err, HasSubstr("--tls-client-ca needs --tls-cert"));
  EXPECT_THAT(run_with({http, "--insecure=yes"}).err, HasSubstr("--insecure takes no value"));
  EXPECT_THAT(run_with({"--http", "127.0.0.1:99999"}).err, HasSubstr("write <host>:<port>"));
}

TEST(ServerRun, NamesTheInvalidLineOfTheKeyFile) {
  const std::string path = testing::TempDir() + "fairlead_keys";
  std::ofstream(path) << "ann " << std::string(64, 'a') << "\n\nbob\n";
  const auto ran = run_with({"--http", "127.0.0.1:0", "--keys", path});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("line 3 is not a name and a SHA-256"));
}

/// Replaces stdin until it is destroyed.
class Pipe {
 public:
  Pipe() : stdin_(::dup(0)) {
    if (::pipe(ends_) != 0 || ::dup2(ends_[0], 0) < 0) throw std::runtime_error("no pipe");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::dup2(stdin_, 0);
    for (const int end : {ends_[0], ends_[1], stdin_}) ::close(end);
  }
  void send_line(std::string_view line) const {
    EXPECT_EQ(::write(ends_[1], line.data(), line.size()), std::ssize(line));
  }

 private:
  int stdin_;
  int ends_[2] = {};
};

TEST(ServerRun, StopEndsRunWhileTheClientIsConnected) {
  const Pipe client;
  Server app{"demo", "1.0"};
  app.tool("stop", "Stops the server", [&app] {
    std::thread([&app] { app.stop(); }).join();
    return "stopping";
  });
  client.send_line(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stop"}})"
                   "\n");
  testing::internal::CaptureStdout();
  EXPECT_EQ(app.run(), 0);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("stopping"));
  app.stop();
}

}  // namespace
}  // namespace fairlead::server::test::run_test
