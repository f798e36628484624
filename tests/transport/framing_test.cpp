#include <fairlead/transport/framing.hpp>

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/deframe.hpp"

namespace fairlead::transport::framing_test {
namespace {

using namespace test;
using Texts = std::vector<std::string>;
using Kind = FramingRepair::Kind;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
const std::string pong = R"({"jsonrpc":"2.0","id":2,"method":"pong"})";

std::string counted(std::string_view text, std::size_t count) {
  return "Content-Length: " + std::to_string(count) + "\r\n\r\n" + std::string(text);
}

std::string counted(std::string_view text) {
  return counted(text, text.size());
}

TEST(Framing_S0_02, WritesContentLengthHeader) {
  std::string out;
  append_frame(out, ping, Framing::content_length);
  EXPECT_EQ(out, counted(ping));
}

TEST(Framing_S0_21, CountsBytesAndNotCharacters) {
  std::string out;
  append_frame(out, R"("意")", Framing::content_length);
  EXPECT_EQ(out, "Content-Length: 5\r\n\r\n\"意\"");
}

TEST(Framing_S2_05, WritesALine) {
  std::string out;
  append_frame(out, ping, Framing::line);
  EXPECT_EQ(out, ping + "\n");
}

TEST(Framing_S0_03, ParsesSeveralFramedMessagesOfOneRead) {
  EXPECT_EQ(texts(counted(ping) + counted(pong) + counted(ping)), (Texts{ping, pong, ping}));
}

TEST(Framing_S0_04, ParsesLinesWithoutHeader) {
  EXPECT_EQ(texts(ping + "\n" + pong + "\n"), (Texts{ping, pong}));
}

TEST(Framing_S0_06, ToleratesNewlinesBetweenFramedMessages) {
  EXPECT_EQ(texts(counted(ping) + "\n" + counted(pong) + "\r\n\r\n" + counted(ping)), (Texts{ping, pong, ping}));
}

TEST(Framing_S0_33, AllowsTrailingWhiteSpaceWithinTheLength) {
  Deframer deframer;
  deframer.feed(counted(ping + " \n") + counted(pong));
  EXPECT_EQ(drain(deframer), (Texts{ping, pong}));
  EXPECT_TRUE(deframer.take_repairs().empty());
}

TEST(Framing_C_01, DetectsFramingPerMessage) {
  EXPECT_EQ(texts(ping + "\n" + counted(pong) + ping + "\n"), (Texts{ping, pong, ping}));
}

TEST(Framing_S1_13, RemovesCarriageReturnAndTrailingSpace) {
  EXPECT_EQ(texts(ping + " \t\r\n"), Texts{ping});
}

TEST(Framing_S1_14, IgnoresBlankLines) {
  EXPECT_EQ(texts("\n\r\n  \n" + ping + "\n\n\n" + pong + "\n"), (Texts{ping, pong}));
}

TEST(Framing, AcceptsHeaderVariants) {
  const auto size = std::to_string(ping.size());
  EXPECT_EQ(texts("content-LENGTH:" + size + "\nX-Other: 1\n\n" + ping + pong + "\n"), (Texts{ping, pong}));
  EXPECT_EQ(texts("Content-Type: application/json\r\nContent-Length:  " + size + " \r\n\r\n" + ping), Texts{ping});
}

TEST(Framing_S0_29, AcceptsMissingEmptyLineWithWarning) {
  Deframer deframer;
  deframer.feed("Content-Length: " + std::to_string(ping.size()) + "\r\n" + ping + counted(pong));
  EXPECT_EQ(drain(deframer), (Texts{ping, pong}));
  EXPECT_EQ(deframer.take_repairs(), (std::vector<FramingRepair>{{.kind = Kind::missing_empty_line}}));
}

TEST(Framing_S0_29, AcceptsTooLargeLengthWithWarning) {
  Deframer deframer;
  deframer.feed(counted(ping, ping.size() + 12));
  EXPECT_EQ(drain(deframer), Texts{ping});
  EXPECT_TRUE(deframer.undecided());
  EXPECT_FALSE(deframer.flush());
  EXPECT_EQ(deframer.take_repairs(),
            (std::vector<FramingRepair>{{.declared = ping.size() + 12, .actual = ping.size()}}));
  EXPECT_TRUE(deframer.idle());
}

TEST(Framing_S0_29, AcceptsTooSmallLengthWithWarning) {
  Deframer deframer;
  deframer.feed(counted(ping, 7) + counted(pong));
  EXPECT_EQ(drain(deframer), (Texts{ping, pong}));
  EXPECT_EQ(deframer.take_repairs(), (std::vector<FramingRepair>{{.declared = 7, .actual = ping.size()}}));
}

TEST(Framing_C_02, CorrectsEveryWrongLength) {
  for (std::size_t count = 0; count < ping.size() * 3; ++count) {
    EXPECT_EQ(texts(counted(ping, count) + counted(pong)), (Texts{ping, pong})) << count;
    EXPECT_EQ(texts(counted(ping, count) + "\n" + pong + "\n"), (Texts{ping, pong})) << count;
    EXPECT_EQ(texts(counted(ping, count) + "\r\n" + counted(pong, count)), (Texts{ping, pong})) << count;
  }
}

TEST(Framing_C_02, HugeLengthIsTreatedAsTooLarge) {
  EXPECT_EQ(texts("Content-Length: 99999999999999999999999999\r\n\r\n" + ping + counted(pong)), (Texts{ping, pong}));
}

TEST(Framing, NonNumericLengthFallsBackToLine) {
  EXPECT_EQ(texts("Content-Length: many\r\n\r\n" + ping + "\n" + pong + "\n"), (Texts{ping, pong}));
}

TEST(Framing, FindsAMessageOnTheHeaderLine) {
  EXPECT_EQ(texts("Content-Length: 40 " + ping + "\n" + counted(pong)), (Texts{ping, pong}));
}

TEST(Framing, BrokenMessageWithCorrectLengthIsOneFrame) {
  for (const std::string broken :
       {R"({"a":)", R"({"a":"b)", "[1,2", R"({"a" 1})", "hello", R"({"a":1}})", "{\n\n", "[1,"}) {
    const auto following = counted(broken) + counted(pong);
    const auto found = texts(following);
    ASSERT_FALSE(found.empty()) << broken;
    EXPECT_EQ(found.back(), pong) << broken;
  }
  EXPECT_EQ(texts(counted(R"({"a":)") + counted(pong)), (Texts{R"({"a":)", pong}));
  EXPECT_EQ(texts(counted("hello") + counted(pong)), (Texts{"hello", pong}));
}

TEST(Framing, BrokenMessageBeforeALineIsEmittedByFlush) {
  Deframer deframer;
  deframer.feed(counted(R"({"a":)") + ping + "\n");
  EXPECT_EQ(drain(deframer), Texts{});
  ASSERT_TRUE(deframer.undecided());
  EXPECT_EQ(deframer.flush()->text, R"({"a":)");
  EXPECT_EQ(drain(deframer), Texts{ping});
}

TEST(Framing, BrokenMessageWithTooLargeLengthEndsAtTheNextHeader) {
  EXPECT_EQ(texts(counted("{\"a\":\"\n", 500) + counted(pong)), (Texts{"{\"a\":\"", pong}));
}

TEST(Framing, IncompleteMessageIsNotUndecided) {
  Deframer deframer;
  deframer.feed(counted(ping).substr(0, 30));
  EXPECT_EQ(drain(deframer), Texts{});
  EXPECT_FALSE(deframer.undecided());
  Deframer lines;
  lines.feed(ping.substr(0, 30));
  EXPECT_EQ(drain(lines), Texts{});
  EXPECT_FALSE(lines.undecided());
}

TEST(Framing, ByteOrderMarkInTheMiddleAffectsOnlyItsLine) {
  EXPECT_EQ(texts(ping + "\n\xEF\xBB\xBF" + ping + "\n" + pong + "\n"), (Texts{ping, "\xEF\xBB\xBF" + ping, pong}));
}

TEST(Framing, BareCarriageReturnIsWhiteSpace) {
  EXPECT_EQ(texts("\r" + ping + "\r\n\r\r\n{\"a\":\r1}\n"), (Texts{ping, "{\"a\":\r1}"}));
}

TEST(Framing_S0_07, RemovesByteOrderMarkAtTheStart) {
  for (const auto& first : {ping + "\n", counted(ping)}) {
    Deframer deframer;
    deframer.feed("\xEF\xBB\xBF" + first + pong + "\n");
    const auto frame = deframer.next();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->text, ping);
    EXPECT_TRUE(frame->had_bom);
    EXPECT_FALSE(deframer.next()->had_bom);
    EXPECT_EQ(deframer.take_repairs(), (std::vector<FramingRepair>{{.kind = Kind::byte_order_mark}}));
  }
}

TEST(Framing, EmitsInvalidLinesUnchanged) {
  const std::string nul("a\0b", 3);
  EXPECT_EQ(texts("Connected!\nC\n" + nul + "\nContent\n" + ping + "\n"),
            (Texts{"Connected!", "C", nul, "Content", ping}));
}

TEST(Framing, EndlessHeaderIsNotAHeader) {
  std::string block = "Content-Length: 5\n";
  for (int line = 0; line < 2000; ++line) block += "X-Line: and another\n";
  EXPECT_EQ(texts(block + ping + "\n").back(), ping);
  EXPECT_EQ(texts("Content-Length: " + std::string(20000, '1') + "\n" + ping + "\n").back(), ping);
}

TEST(Framing, EmitsTheTruncatedMessageAtTheEnd) {
  EXPECT_EQ(texts(ping), Texts{ping});
  EXPECT_EQ(texts(counted(ping).substr(0, 40)), Texts{counted(ping).substr(22, 18)});
  EXPECT_EQ(texts("\xEF\xBB"), Texts{"\xEF\xBB"});
  EXPECT_EQ(texts("Content-Le"), Texts{"Content-Le"});
}

TEST(Framing_S0_24, ParsesALineOf100Megabytes) {
  const std::string text = "{\"a\":\"" + std::string(100'000'000, 'x') + "\"}";
  Deframer deframer;
  for (std::size_t at = 0; at < text.size(); at += 65536) {
    deframer.feed(std::string_view(text).substr(at, 65536));
    ASSERT_FALSE(deframer.next());
  }
  deframer.feed("\n" + ping + "\n");
  const auto frame = deframer.next();
  ASSERT_TRUE(frame && frame->text == text);
  EXPECT_EQ(drain(deframer), Texts{ping});
}

TEST(Framing_C_23, FlagsTooLargeMessageAndFindsTheNext) {
  const std::string big = "{\"a\":\"" + std::string(200, 'x') + "\"}";
  for (const auto& input : {big + "\n" + ping + "\n", counted(big) + counted(ping), counted(big) + ping + "\n",
                            counted(big, 1000) + "\n" + counted(ping), counted(big, 150) + "\n" + counted(ping)}) {
    Deframer deframer({.max_message = 100});
    deframer.feed(input);
    const auto first = deframer.next();
    ASSERT_TRUE(first && first->too_long);
    EXPECT_EQ(first->text, big.substr(0, 100));
    EXPECT_EQ(drain(deframer).back(), ping);
  }
}

TEST(Framing, LineInputIgnoresHeaders) {
  Deframer deframer({.headers = false});
  deframer.feed(counted(ping) + "\n");
  EXPECT_EQ(drain(deframer), (Texts{"Content-Length: 40", ping}));
}

TEST(Framing, TrustCountsFollowsAnyLength) {
  Deframer deframer({.trust_counts = true});
  deframer.feed(counted(ping, 10) + "\n" + counted(pong));
  EXPECT_EQ(drain(deframer), (Texts{ping.substr(0, 10), ping.substr(10), pong}));
}

}  // namespace
}  // namespace fairlead::transport::framing_test
