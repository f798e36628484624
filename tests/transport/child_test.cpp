#include <fairlead/transport/child.hpp>

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "support/leak_check.hpp"
#include "support/messages.hpp"
#include "support/test_loop.hpp"
#include "transport/child_reaper.hpp"

namespace fairlead::transport::child_test {
namespace {

using namespace test;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

ChildOptions shell(std::string script) {
  return {.command = {"/bin/sh", "-c", std::move(script)}};
}

class ChildTest : public testing::Test {
 protected:
  void SetUp() override {
    child_reaper();  // The reaper of the process keeps one descriptor.
    loop_.context().poll();
    descriptors_ = open_descriptors();
  }
  void TearDown() override {
    child_.reset();
    loop_.context().restart();
    while (has_children() && loop_.context().run_one_for(10s) > 0) {
    }
    loop_.poll();
    EXPECT_FALSE(has_children()) << "a zombie is left";
    EXPECT_EQ(open_descriptors(), descriptors_) << "a descriptor is left";
  }

  void start(ChildOptions options) {
    auto started = ChildTransport::start(loop_.loop(), std::move(options));
    ASSERT_TRUE(started) << started.error().message;
    child_ = std::move(*started);
  }
  std::string receive() { return text(loop_.run(child_->receive())); }
  ExitStatus shutdown() { return loop_.run(child_->shutdown()).value(); }

  TestLoop loop_;
  std::unique_ptr<ChildTransport> child_;
  std::size_t descriptors_ = 0;
};

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

TEST_F(ChildTest, S2_03_S4_01_StartsAProgramAndTalksToIt) {
  start({.command = {"cat"}});
  ASSERT_TRUE(loop_.run(child_->send({request(1)})));
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(shutdown(), ExitStatus{});
}

TEST_F(ChildTest, S1_05_PassesArgumentsWithoutAShell) {
  std::vector<std::string> lines;
  start({.command = {"/usr/bin/printf", "%s\\n", "a b", "$HOME", "*; `x`"},
         .on_stderr = [&](std::string_view line) { lines.emplace_back(line); }});
  for (const auto* argument : {"a b", "$HOME", "*; `x`"}) EXPECT_THAT(receive(), HasSubstr("-32700")) << argument;
  EXPECT_TRUE(loop_.log().contains("text=$HOME"));
  EXPECT_TRUE(loop_.log().contains("text=*; `x`"));
}

TEST_F(ChildTest, S1_06_MergesItsEnvironmentOverOurs) {
  ::setenv("FAIRLEAD_KEPT", "kept", 1);
  ::setenv("FAIRLEAD_CHANGED", "old", 1);
  auto options = shell("echo $FAIRLEAD_KEPT $FAIRLEAD_CHANGED $FAIRLEAD_NEW >&2");
  options.environment = {{"FAIRLEAD_CHANGED", "new"}, {"FAIRLEAD_NEW", "added"}};
  std::vector<std::string> lines;
  options.on_stderr = [&](std::string_view line) { lines.emplace_back(line); };
  start(std::move(options));
  receive();
  EXPECT_THAT(lines, ElementsAre("kept new added"));
}

TEST_F(ChildTest, RunsInTheGivenDirectory) {
  auto options = shell("pwd >&2");
  options.directory = "/usr";
  std::vector<std::string> lines;
  options.on_stderr = [&](std::string_view line) { lines.emplace_back(line); };
  start(std::move(options));
  receive();
  EXPECT_THAT(lines, ElementsAre("/usr"));
}

TEST_F(ChildTest, S1_09_ReadsStderrByLine) {
  auto options =
      shell("echo one >&2; printf 'a much longer line' >&2; echo '" + ping + "'; sleep 0.05; printf tail >&2");
  options.max_stderr_line = 10;
  std::vector<std::string> lines;
  options.on_stderr = [&](std::string_view line) { lines.emplace_back(line); };
  start(std::move(options));
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(receive(),
            "closed: the server exited with status 0; it printed on stderr:\n  one\n  a much lon\n  ger lineta\n  il");
  EXPECT_THAT(lines, ElementsAre("one", "a much lon", "ger lineta", "il"));
}

TEST_F(ChildTest, S2_04_LogsStderrByDefault) {
  start(shell("echo a log line >&2"));
  receive();
  EXPECT_TRUE(loop_.log().contains("stderr: a log line"));
}

TEST_F(ChildTest, StderrFloodDoesNotBlockTheChild) {
  start(shell("head -c 2000000 /dev/zero | tr '\\0' x >&2; echo '" + ping + "'"));
  EXPECT_EQ(receive(), ping);
}

TEST_F(ChildTest, ErrorNamesAMissingProgram) {
  for (const auto* program : {"fairlead-no-such-program", "/no/such/program", "/etc/passwd", "/usr"}) {
    const auto started = ChildTransport::start(loop_.loop(), {.command = {program}});
    ASSERT_FALSE(started) << program;
    EXPECT_THAT(started.error().message, HasSubstr(program));
  }
  EXPECT_FALSE(ChildTransport::start(loop_.loop(), {.command = {}}));
  EXPECT_FALSE(ChildTransport::start(loop_.loop(), {.command = {"cat"}, .directory = "/no/such/folder"}));
}

TEST_F(ChildTest, S1_19_ReportsExitToReceiveAndSend) {
  start(shell("exit 3"));
  EXPECT_EQ(receive(), "closed: the server exited with status 3");
  const auto sent = loop_.run(child_->send({request(1)}));
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().kind, ErrorKind::closed);
  EXPECT_EQ(sent.error().message, "the server exited with status 3");
  EXPECT_EQ(loop_.run(child_->wait()).value(), ExitStatus{.code = 3});
}

TEST_F(ChildTest, S1_17_ReportsDeathBySignal) {
  start(shell("kill -9 $$"));
  EXPECT_EQ(receive(), "closed: the server was killed by signal 9 (SIGKILL)");
}

TEST_F(ChildTest, Finding_D1_ExitErrorContainsTheLastStderrLines) {
  auto options = shell("echo 'FATAL: GITHUB_TOKEN is not set' >&2; exit 1");
  options.environment["API_TOKEN"] = "hunter2hunter2";
  start(std::move(options));
  const auto ended = loop_.run(child_->receive());
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message,
            "the server exited with status 1; it printed on stderr: FATAL: GITHUB_TOKEN is not set");
  ASSERT_TRUE(ended.error().diagnosis);
  const auto& known = *ended.error().diagnosis;
  EXPECT_EQ(known.status, 1);
  EXPECT_THAT(known.stderr_, ElementsAre("FATAL: GITHUB_TOKEN is not set"));
  EXPECT_EQ(known.command, R"(/bin/sh -c 'echo '\''FATAL: GITHUB_TOKEN is not set'\'' >&2; exit 1')");
}

TEST_F(ChildTest, Finding_D1_ExitErrorRedactsSecrets) {
  auto options = shell("echo wrong key $API_TOKEN >&2; kill -9 $$");
  options.environment["API_TOKEN"] = "hunter2hunter2";
  start(std::move(options));
  const auto ended = loop_.run(child_->receive());
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("SIGKILL"));
  EXPECT_THAT(ended.error().message, HasSubstr("wrong key [redacted]"));
  EXPECT_EQ(ended.error().diagnosis->signal, 9);
}

TEST_F(ChildTest, Finding_D1_FailedStartHasADiagnosis) {
  const auto started = ChildTransport::start(loop_.loop(), {.command = {"fairlead-no-such-program", "a b"}});
  ASSERT_FALSE(started);
  ASSERT_TRUE(started.error().diagnosis);
  EXPECT_EQ(started.error().diagnosis->step, "start");
  EXPECT_EQ(started.error().diagnosis->command, "fairlead-no-such-program 'a b'");
  EXPECT_THAT(*started.error().diagnosis->advice, HasSubstr("install 'fairlead-no-such-program'"));
}

TEST_F(ChildTest, Finding_D4_ReportsStrayOutputOnStdout) {
  auto options = shell("echo booting...; for i in 1 2 3 4 5 6 7 8; do echo noise; done; exit 2");
  options.framing.name = "github";
  start(std::move(options));
  std::string last;
  while (!last.starts_with("closed: ")) last = receive();
  EXPECT_TRUE(loop_.log().contains(
      R"(server github printed "booting..." on stdout, which is not MCP; print to stderr instead)"));
  EXPECT_TRUE(loop_.log().contains("further lines on stdout are not logged"));
  std::size_t warnings = 0;
  for (const auto& line : loop_.log().lines()) warnings += line.level == LogLevel::warning ? 1 : 0;
  EXPECT_EQ(warnings, 6U);
  EXPECT_THAT(last, HasSubstr(R"(it printed "booting..." on stdout)"));
  EXPECT_THAT(*child_->diagnosis().advice, HasSubstr("stderr"));
}

TEST_F(ChildTest, ReceivesMessagesSentBeforeTheExit) {
  start(shell("echo '" + ping + "'; echo '" + ping + "'; exit 1"));
  ASSERT_TRUE(loop_.run(child_->wait()));
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(receive(), ping);
  EXPECT_EQ(receive(), "closed: the server exited with status 1");
}

TEST_F(ChildTest, DetectsExitWhileAGrandchildHoldsThePipes) {
  start(shell("sleep 100 & exit 4"));
  EXPECT_EQ(receive(), "closed: the server exited with status 4");
}

TEST_F(ChildTest, ClosedStdoutEndsTheSession) {
  start(shell("exec >&-; sleep 100"));
  EXPECT_EQ(receive(), "closed: the server closed its output");
}

TEST_F(ChildTest, S2_07_ClosesStdinFirst) {
  auto options = shell("cat >/dev/null; sleep 0.05; echo goodbye; exit 7");
  options.exit_timeout = 60s;
  start(std::move(options));
  const auto pending = loop_.start(child_->receive());
  loop_.poll();
  EXPECT_EQ(shutdown(), ExitStatus{.code = 7});
  EXPECT_EQ(loop_.finish(pending).error().kind, ErrorKind::closed);
}

TEST_F(ChildTest, S2_07_SendsSigtermAfterTheTimeout) {
  auto options = shell("trap 'exit 5' TERM; echo '" + ping + "'; while :; do sleep 0.01; done");
  options.exit_timeout = 100ms;
  start(std::move(options));
  EXPECT_EQ(receive(), ping) << "it handles the signal from now on";
  EXPECT_EQ(shutdown(), ExitStatus{.code = 5});
}

TEST_F(ChildTest, S2_07_KillsTheGroupOfAStubbornChild) {
  auto options = shell("trap '' TERM; sleep 100 & echo $! >&2; echo '" + ping + "'; while :; do sleep 0.01; done");
  options.exit_timeout = 50ms;
  pid_t grandchild = 0;
  options.on_stderr = [&](std::string_view line) { grandchild = std::stoi(std::string(line)); };
  start(std::move(options));
  EXPECT_EQ(receive(), ping) << "it ignores the signal from now on";
  EXPECT_EQ(shutdown(), (ExitStatus{.code = SIGKILL, .signalled = true}));
  ASSERT_GT(grandchild, 1);
  // Killed, but perhaps not reaped yet by its new parent.
  std::string state;
  for (int tries = 0; tries < 30'000 && ::kill(grandchild, 0) == 0 && state != "Z"; ++tries) {
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string ignored;
    stat >> ignored >> ignored >> state;
    ::usleep(1000);
  }
  EXPECT_TRUE(state == "Z" || ::kill(grandchild, 0) != 0);
}

TEST_F(ChildTest, DestroyingItKillsAtOnce) {
  start(shell("trap '' TERM; sleep 100"));
  child_.reset();
}

TEST(Child, IsKilledAndReapedWithoutItsLoop) {
  {
    TestLoop loop;
    auto child = ChildTransport::start(loop.loop(), shell("sleep 100")).value();
    loop.poll();
    child.reset();
  }
  EXPECT_FALSE(has_children());
}

// The child exits before its Nth response, for every N.
TEST_F(ChildTest, S1_18_EveryCallFailsWithTheExitStatus) {
  for (int good = 0; good < 4; ++good) {
    start(shell("n=0; while [ $n -lt " + std::to_string(good) +
                " ]; do read -r line; echo \"$line\"; n=$((n+1)); done; exit 9"));
    int answered = 0;
    for (int i = 0; i < 5; ++i) {
      (void)loop_.run(child_->send({request(1)}));
      const auto received = text(loop_.run(child_->receive()));
      if (received == ping) {
        ++answered;
      } else {
        EXPECT_EQ(received, "closed: the server exited with status 9");
      }
    }
    EXPECT_EQ(answered, good);
  }
}

}  // namespace
}  // namespace fairlead::transport::child_test
