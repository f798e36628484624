#include <fairlead/base/diagnosis.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/output_tail.hpp"
#include "base/redact/secret_variables.hpp"

namespace fairlead::diagnosis_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

Error ended(Diagnosis diagnosis) {
  return with_diagnosis({.kind = ErrorKind::closed, .message = "the server exited with status 1"},
                        std::move(diagnosis));
}

TEST(Diagnosis, Finding_D1_AddsServerOutputToTheMessage) {
  EXPECT_EQ(ended({.stderr_ = {"FATAL: GITHUB_TOKEN is not set"}}).message,
            "the server exited with status 1; it printed on stderr: FATAL: GITHUB_TOKEN is not set");
  EXPECT_EQ(ended({.stderr_ = {"one", "two"}}).message,
            "the server exited with status 1; it printed on stderr:\n  one\n  two");
  EXPECT_THAT(ended({.stdout_ = "booting"}).message, HasSubstr(R"(; it printed "booting" on stdout, which is not)"));
  EXPECT_EQ(ended({}).message, "the server exited with status 1");
}

TEST(Diagnosis, Finding_D1_KeepsTheFirstFailedStep) {
  const Error plain{.kind = ErrorKind::timeout, .message = "late"};
  const auto stepped = with_step(with_step(plain, "initialize"), "tools/list");
  EXPECT_EQ(with_diagnosis(stepped, {.status = 1}).diagnosis->step, "initialize");
}

TEST(Diagnosis, Finding_D1_WithoutOutputRemovesServerOutput) {
  const auto rest = without_output(ended({.status = 1, .stderr_ = {"asked by alice"}, .stdout_ = "hello bob"}));
  EXPECT_EQ(rest.message, "the server exited with status 1");
  EXPECT_EQ(*rest.diagnosis, Diagnosis{.status = 1});
}

TEST(Diagnosis, Finding_D1_QuotesCommandsForAShell) {
  EXPECT_EQ(shell_quoted({"sh", "-c", "echo 'FATAL' >&2; exit 1", ""}), R"(sh -c 'echo '\''FATAL'\'' >&2; exit 1' '')");
  EXPECT_EQ(shell_quoted({"npx", "-y", "@scope/server", "--port=1"}), "npx -y @scope/server --port=1");
}

TEST(Diagnosis, Finding_D1_RedactsSecretWordsOfACommand) {
  EXPECT_THAT(redacted_command({"run", "--token", "abcdef", "--name", "x"}, Redactor()),
              ElementsAre("run", "--token", "[redacted]", "--name", "x"));
}

TEST(Diagnosis, OneLineReplacesLineBreaks) {
  EXPECT_EQ(one_line("it printed on stderr:\n  one\n  two"), "it printed on stderr: one | two");
}

TEST(OutputTail, Finding_D1_KeepsTheLastLinesWithinItsLimits) {
  OutputTail tail;
  for (int i = 0; i < 100; ++i) tail.add("line " + std::to_string(i));
  EXPECT_THAT(tail.lines(Redactor()), SizeIs(max_diagnosis_lines));
  EXPECT_EQ(tail.lines(Redactor()).back(), "line 99");
  tail.add(std::string(100'000, 'x'));
  EXPECT_THAT(tail.lines(Redactor()), ElementsAre(testing::StartsWith("xxx")));
  EXPECT_LE(tail.lines(Redactor())[0].size(), max_diagnosis_line + 3);
}

TEST(OutputTail, Finding_D1_RemovesSecretsAndTerminalCodes) {
  Redactor redactor;
  redactor.add_secret("hunter22");
  OutputTail tail;
  tail.add("\x1b[31mbad\x1b[0m password=opensesame and hunter22\x07");
  tail.add("  ");
  const auto lines = tail.lines(redactor);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0], testing::StartsWith("bad password=[redacted]"));
  EXPECT_THAT(lines[0], Not(HasSubstr("hunter22")));
  EXPECT_THAT(lines[0], Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace fairlead::diagnosis_test
