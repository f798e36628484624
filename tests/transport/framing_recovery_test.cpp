#include <algorithm>
#include <fairlead/transport/framing.hpp>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/deframe.hpp"

/// Recovery of messages with wrong framing.
namespace fairlead::transport::framing_recovery_test {
namespace {

using namespace test;
using Texts = std::vector<std::string>;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
const std::string pong = R"({"jsonrpc":"2.0","id":2,"method":"pong"})";

std::string counted(std::string_view text) {
  std::string out;
  append_frame(out, text, Framing::content_length);
  return out;
}

TEST(Framing, CompleteMessageWithoutNewlineIsEmittedByFlush) {
  Deframer deframer;
  deframer.feed(ping);
  EXPECT_EQ(drain(deframer), Texts{});
  ASSERT_TRUE(deframer.undecided());
  EXPECT_EQ(deframer.flush()->text, ping);
  deframer.feed("\n" + pong + "\n");
  EXPECT_EQ(drain(deframer), Texts{pong});
}

TEST(Framing, IncompleteMessageIsNotEmitted) {
  Deframer deframer;
  deframer.feed(R"({"a":{"b":1})");
  EXPECT_EQ(drain(deframer), Texts{});
  EXPECT_FALSE(deframer.flush());
  EXPECT_FALSE(deframer.undecided());
  deframer.feed("}\n");
  EXPECT_EQ(drain(deframer), Texts{R"({"a":{"b":1}})"});
}

TEST(Framing, DamagedHeaderLosesNoMessage) {
  for (const std::string header :
       {"Content-Lengt: 40\r\n\r\n", "ontent-Length: 40\r\n\r\n", "\xEF\xBB\xBFx: 4\r\n\r\n"}) {
    EXPECT_EQ(texts("{}\n" + header + ping + counted(pong)),
              (Texts{"{}", header.substr(0, header.size() - 4), ping, pong}));
  }
}

// The declared length matches the bytes, but they are garbage followed by a message.
TEST(Framing, LengthOverGarbageAndAMessageLosesNoMessage) {
  for (const std::string garbage : {"hello\n", "{\"a\":\n", "{\"a\":\"\n", "[1,2\n{bad\n", "{}}\n[\n"}) {
    for (const auto& after : {std::string(), "\n" + pong + "\n", counted(pong)}) {
      const auto found = texts(counted(garbage + ping) + after);
      EXPECT_EQ(std::ranges::count(found, ping), 1) << garbage << after;
      EXPECT_EQ(std::ranges::count(found, pong), after.empty() ? 0 : 1) << garbage << after;
    }
  }
}

// Messages of the examples with the length that the document gives: lines such as `> 118 {…}`.
std::vector<std::pair<std::string, std::string>> seed_examples() {
  std::ifstream file(FAIRLEAD_SOURCE_DIR "/tests/transcripts/seed_000_counted.txt", std::ios::binary);
  std::vector<std::pair<std::string, std::string>> examples;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("> ") && !line.starts_with("< ")) continue;
    const auto space = line.find(' ', 2);
    examples.emplace_back("Content-Length: " + line.substr(2, space - 2), line.substr(space + 1));
  }
  return examples;
}

std::string without_trailing_space(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

TEST(Framing_C_02, ParsesTheExamplesWithWrongLengths) {
  const auto examples = seed_examples();
  ASSERT_EQ(examples.size(), 9u);
  std::string crlf, newline;
  Texts expected;
  for (const auto& [header, text] : examples) {
    ASSERT_NE(header, "Content-Length: " + std::to_string(text.size()));
    EXPECT_EQ(texts(header + "\r\n\r\n" + text), Texts{without_trailing_space(text)});
    crlf += header + "\r\n\r\n" + text;
    newline += header + "\n\n" + text + "\n";
    expected.push_back(without_trailing_space(text));
  }
  EXPECT_EQ(texts(crlf), expected);
  EXPECT_EQ(texts(newline), expected);
}

}  // namespace
}  // namespace fairlead::transport::framing_recovery_test
