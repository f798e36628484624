#include "cli/tap_line_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::cli::tap_show_test {
namespace {

using gateway::LineKind;
using gateway::Sender;
using gateway::TapLine;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TapLine a_call() {
  TapLine line{.time = "2026-11-16T17:04:05.120Z", .endpoint = "gateway", .session = 7};
  line.caller = "alice";
  line.method = "tools/call";
  line.id = jsonrpc::Id(std::int64_t{3});
  line.tool = "search";
  line.server = "git";
  line.bytes = 1234;
  line.params = json::Payload::trusted(R"({"name":"search","arguments":{"q":"größer"}})");
  return line;
}

TapLine its_reply() {
  auto line = a_call();
  line.from = Sender::server;
  line.kind = LineKind::reply;
  line.status = "ok";
  line.ms = 18.24;
  line.params.reset();
  line.result = json::Payload::trusted(R"({"content":[]})");
  return line;
}

TEST(TapLineText, ShowsCallerTargetAndStatus) {
  EXPECT_EQ(to_text(a_call(), {}),
            "17:04:05.120 → #7 alice       tools/call search @git             id=3                           1.2 kB  "
            R"({"q":"größer"})");
  EXPECT_EQ(to_text(its_reply(), {}),
            "17:04:05.120 ← #7 alice       tools/call search @git             id=3    ok           18.2 ms   1.2 kB  "
            R"({"content":[]})");
}

TEST(TapLineText, ShowsErrorCodeAndMessage) {
  auto line = its_reply();
  line.status = "error";
  line.result.reset();
  line.error = gateway::RecordedError{.code = -32602, .message = "no q"};
  EXPECT_THAT(to_text(line, {}), EndsWith("  -32602: no q"));
}

TEST(TapLineText, TruncatesBodiesToTerminalWidth) {
  auto line = its_reply();
  line.result = json::Payload::trusted(R"({"text":")" + std::string(500, 'x') + R"("})");
  const auto narrow = to_text(line, {.screen = {.is_terminal = true, .columns = 140}});
  EXPECT_THAT(narrow, EndsWith("x…"));
  EXPECT_LE(narrow.size(), 140U + 4) << "two characters have three bytes";
  EXPECT_THAT(to_text(line, {.full = true}), EndsWith(R"(x"})"));
}

TEST(TapLineText, TruncatesNamesOnlyOnATerminal) {
  auto line = a_call();
  line.tool = "a_tool_whose_name_says_all_that_there_is_to_say";
  EXPECT_THAT(to_text(line, {}), HasSubstr("to_say @git id=3"));
  EXPECT_THAT(to_text(line, {.screen = {.is_terminal = true, .columns = 150}}),
              HasSubstr("a_tool_whose_name_says_al… id=3"));
}

TEST(TapLineText, FitsANarrowTerminal) {
  auto line = its_reply();
  line.result = json::Payload::trusted(R"({"text":")" + std::string(500, 'x') + R"("})");
  EXPECT_EQ(to_text(line, {.screen = {.is_terminal = true, .columns = 80}}),
            R"(17:04:05 ← #7 alice tools/call search @git     ok           18.2 ms  {"text":"x…)");
}

TEST(TapLineText, FullStyleShowsAllParams) {
  EXPECT_THAT(to_text(a_call(), {.full = true}), HasSubstr(R"({"name":"search","arguments")"));
}

TEST(TapLineText, EscapesTerminalControlSequences) {
  auto line = its_reply();
  line.caller = "\x1b[2J";
  line.result = json::Payload::trusted("{\"a\":\"\xe2\x80\xae\"}");
  const auto text = to_text(line, {});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae")));
}

TEST(TapLineText, UsesColoursOnlyOnATerminal) {
  EXPECT_THAT(to_text(its_reply(), {.screen = {.colours = true}}), HasSubstr("\x1b[32mok"));
  EXPECT_THAT(to_text(its_reply(), {}), Not(HasSubstr("\x1b")));
}

TEST(TapLineText, ShowsSessionsOpeningAndClosing) {
  TapLine line{.time = "2026-11-16T17:04:05.120Z", .session = 7, .kind = LineKind::open};
  EXPECT_EQ(to_text(line, {}), "17:04:05.120 → #7             (connected)");
  line.kind = LineKind::close;
  EXPECT_THAT(to_text(line, {}), EndsWith("(disconnected)"));
}

TEST(TapLineText, FormatsSizesAndTimes) {
  EXPECT_EQ(show_bytes(64), "64 B");
  EXPECT_EQ(show_bytes(1'234), "1.2 kB");
  EXPECT_EQ(show_bytes(3'400'000), "3.4 MB");
  EXPECT_EQ(show_milliseconds(0.421), "0.42 ms");
  EXPECT_EQ(show_milliseconds(18.24), "18.2 ms");
  EXPECT_EQ(show_milliseconds(1'234), "1.23 s");
}

TEST(Ellipsize, CountsCharactersNotBytes) {
  EXPECT_EQ(ellipsize("größer", 6), "größer");
  EXPECT_EQ(ellipsize("größer", 5), "größ…");
  EXPECT_EQ(ellipsize("größer", 1), "…");
  EXPECT_EQ(pad_to_columns("öl", 4), "öl  ");
}

}  // namespace
}  // namespace fairlead::cli::tap_show_test
