#include <fairlead/http/sse.hpp>

#include <gtest/gtest.h>
#include <vector>

namespace fairlead::http::sse_test {
namespace {

using namespace std::chrono_literals;

std::vector<SseEvent> parse(std::string_view stream, std::size_t piece = std::string_view::npos) {
  SseParser parser;
  std::vector<SseEvent> events;
  while (!stream.empty()) {
    EXPECT_TRUE(parser.feed(stream.substr(0, piece)));
    stream.remove_prefix(std::min(piece, stream.size()));
    while (auto event = parser.next()) events.push_back(std::move(*event));
  }
  return events;
}

std::string written(const SseEvent& event) {
  std::string out;
  EXPECT_TRUE(write_sse(out, event));
  return out;
}

TEST(SseParser, ReadsNameDataAndId) {
  const auto events = parse("event: add\ndata: 73857293\nid: 7\n\n");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0], (SseEvent{.event = "add", .data = "73857293", .id = "7"}));
}

TEST(SseParser, JoinsLinesOfData) {
  EXPECT_EQ(parse("data: YHOO\ndata: +2\ndata: 10\n\n")[0].data, "YHOO\n+2\n10");
}

TEST(SseParser, RemovesOneSpaceAfterTheColon) {
  EXPECT_EQ(parse("data:test\n\n")[0].data, "test");
  EXPECT_EQ(parse("data: test\n\n")[0].data, "test");
  EXPECT_EQ(parse("data:  test \n\n")[0].data, " test ");
}

TEST(SseParser, AcceptsEveryKindOfLineEnd) {
  for (const std::string_view end : {"\n", "\r", "\r\n"}) {
    const auto stream = "data: a" + std::string(end) + "data: b" + std::string(end) + std::string(end);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{100}}) {
      const auto events = parse(stream, piece);
      ASSERT_EQ(events.size(), 1U) << piece;
      EXPECT_EQ(events[0].data, "a\nb");
    }
  }
}

TEST(SseParser, DeliversAtACarriageReturnWithoutWaitingForANewline) {
  EXPECT_EQ(parse("data: now\r\r").size(), 1U);
}

TEST(SseParser, IgnoresCommentsAndUnknownFields) {
  EXPECT_EQ(parse(": heartbeat\n\nfoo: bar\ndata: x\n: y\n\n").size(), 1U);
}

TEST(SseParser, FieldWithoutColonIsEmpty) {
  const auto events = parse("data\n\ndata\ndata\n\ndata:");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].data, "");
  EXPECT_EQ(events[1].data, "\n");
}

TEST(SseParser, DeliversNothingWithoutData) {
  EXPECT_TRUE(parse("event: ping\nid: 4\n\n").empty());
}

TEST(SseParser, DropsTheNameOfAnEventWithoutData) {
  EXPECT_EQ(parse("event: ping\n\ndata: x\n\n")[0].event, "message");
}

TEST(SseParser, DeliversAPrimingEventAsEmptyData) {
  const auto events = parse("id: 1\ndata: \n\n");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].data, "");
  EXPECT_EQ(events[0].id, "1");
}

TEST(SseParser, SkipsAByteOrderMarkAtTheStartOnly) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{100}}) {
    EXPECT_EQ(parse("\xEF\xBB\xBF"
                    "data: x\n\n",
                    piece)
                  .size(),
              1U);
  }
  EXPECT_TRUE(parse("\n\xEF\xBB\xBF"
                    "data: x\n\n")
                  .empty());
  EXPECT_TRUE(parse("\xEF\xBB"
                    "data: x\n\n")
                  .empty());
}

TEST(SseParser, KeepsTheLastIdForLaterEvents) {
  const auto events = parse("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n");
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].id, "1");
  EXPECT_EQ(events[1].id, "1");
  EXPECT_EQ(events[2].id, "");
}

TEST(SseParser, KeepsTheIdOfAnEventWithoutData) {
  SseParser parser;
  ASSERT_TRUE(parser.feed("id: 9\n"));
  EXPECT_EQ(parser.last_event_id(), "");
  ASSERT_TRUE(parser.feed("\n"));
  EXPECT_EQ(parser.last_event_id(), "9");
}

TEST(SseParser, IgnoresAnIdWithNul) {
  EXPECT_EQ(parse(std::string_view("id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n", 32))[1].id, "1");
}

TEST(SseParser, AcceptsRetryOfDigitsOnly) {
  SseParser parser;
  for (const std::string_view bad :
       {"retry: 1.5\n\n", "retry: -3\n\n", "retry: +3\n\n", "retry\n\n", "retry: 3s\n\n"}) {
    ASSERT_TRUE(parser.feed(bad));
    EXPECT_FALSE(parser.retry()) << bad;
  }
  ASSERT_TRUE(parser.feed("retry: 500\ndata: x\n\n"));
  EXPECT_EQ(parser.retry(), 500ms);
  EXPECT_EQ(parser.next()->retry, 500ms);
}

TEST(SseParser, ClampsAnOverflowingRetry) {
  SseParser parser;
  ASSERT_TRUE(parser.feed("retry: 99999999999999999999999\n\n"));
  EXPECT_GT(*parser.retry(), 24h);
}

TEST(SseParser, DropsAnEventThatTheStreamsEndCutsOff) {
  EXPECT_TRUE(parse("data: a").empty());
  EXPECT_TRUE(parse("data: a\n").empty());
}

TEST(SseParser, RejectsTooLongLines) {
  SseParser parser({.max_line = 100, .max_event = 1000});
  ASSERT_TRUE(parser.feed("data: first\n\n"));
  ASSERT_TRUE(parser.feed(std::string(100, 'x')));
  const auto fed = parser.feed("x");
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().kind, ErrorKind::malformed);
  EXPECT_EQ(parser.next()->data, "first");
  EXPECT_FALSE(parser.feed("\n\n"));
}

TEST(SseParser, RejectsTooLargeEvents) {
  SseParser parser({.max_line = 100, .max_event = 50});
  const std::string line = "data: " + std::string(24, 'x') + "\n";
  ASSERT_TRUE(parser.feed(line + line));
  EXPECT_FALSE(parser.feed(line));
}

TEST(WriteSse, WritesOneLineOfDataForOneLineOfText) {
  EXPECT_EQ(written({.data = "{\"a\":1}"}), "data: {\"a\":1}\n\n");
}

TEST(WriteSse, WritesAllFields) {
  EXPECT_EQ(written({.event = "result", .data = "x", .id = "a-1", .retry = 500ms}),
            "event: result\nid: a-1\nretry: 500\ndata: x\n\n");
}

TEST(WriteSse, PreventsFieldInjection) {
  const SseEvent attack{.data = "x\n\nevent: forged\rid: 9\r\ndata: y"};
  const auto events = parse(written(attack));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].data, "x\n\nevent: forged\nid: 9\ndata: y");
  EXPECT_EQ(events[0].event, "message");
}

TEST(WriteSse, RejectsIdsAndNamesWithLineEnds) {
  std::string out;
  for (const std::string_view bad : {std::string_view("a\nb"), std::string_view("a\rb"), std::string_view("a\0b", 3)}) {
    EXPECT_FALSE(write_sse(out, {.data = "x", .id = std::string(bad)}));
    if (bad.find('\0') != bad.npos) continue;
    EXPECT_FALSE(write_sse(out, {.event = std::string(bad), .data = "x"}));
  }
  EXPECT_EQ(out, "");
}

}  // namespace
}  // namespace fairlead::http::sse_test
