#include <fairlead/transport/framing.hpp>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "support/deframe.hpp"

namespace fairlead::transport::framing_property_test {
namespace {

using namespace test;

const std::vector<std::string> pieces = {
    R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
    R"([{"a":1},{"b":"\"}{"}])",
    "{\"deep\":{\"er\":[1,2,{\"x\":null}]}}",
    "{\n  \"pretty\": true\n}",
    "{\"a\":",
    "{\"open\":\"str",
    "hello",
    "Connected!",
    "\xEF\xBB\xBF",
    "Content-Length: 12\r\n\r\n",
    "Content-Length: 41\r\n\r\n",
    "Content-Length: 100\n\n",
    "content-length: 3\r\nX: y\r\n",
    "Content-Length: 0\r\n\r\n",
    "Content-Type: x\r\n",
    "Content-Length: x\r\n\r\n",
    "Content-Length: 40{}",
    "\nContent-Len",
    "\n",
    "\r\n",
    " ",
    "}",
    "\"",
    std::string("\0", 1),
};

std::string random_stream(std::mt19937& random) {
  std::string stream;
  const auto count = 1 + random() % 12;
  for (unsigned i = 0; i < count; ++i) stream += pieces[random() % pieces.size()];
  return stream;
}

std::vector<Frame> cut_up(std::string_view stream, DeframerOptions options, std::mt19937& random, std::size_t largest) {
  Deframer deframer(options);
  std::vector<Frame> frames;
  while (!stream.empty()) {
    const auto size = std::min<std::size_t>(1 + random() % largest, stream.size());
    deframer.feed(stream.substr(0, size));
    stream.remove_prefix(size);
    while (auto frame = deframer.next()) frames.push_back(std::move(*frame));
  }
  for (auto& frame : drain_to_end(deframer)) frames.push_back(std::move(frame));
  return frames;
}

TEST(FramingProperty_S1_11b, ResultIsIndependentOfSplitting) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    const auto stream = random_stream(random);
    const DeframerOptions options{.max_message = round % 3 == 0 ? 20u : 0u, .trust_counts = round % 5 == 0};
    const auto whole = cut_up(stream, options, random, 1'000'000);
    ASSERT_EQ(cut_up(stream, options, random, 1), whole) << testing::PrintToString(stream);
    ASSERT_EQ(cut_up(stream, options, random, 7), whole) << testing::PrintToString(stream);
  }
}

TEST(FramingProperty_C_01, AllMessagesInMixedFramingsArrive) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    std::string stream;
    std::vector<std::string> expected;
    for (int i = 0; i < 20; ++i) {
      const auto& text = pieces[random() % 3];
      append_frame(stream, text, random() % 2 == 0 ? Framing::line : Framing::content_length);
      expected.push_back(text);
    }
    std::vector<std::string> found;
    for (auto& frame : cut_up(stream, {}, random, 50)) found.push_back(std::move(frame.text));
    ASSERT_EQ(found, expected);
  }
}

// After any garbage, once its line has ended and `flush` was called, a valid message is found in either framing.
TEST(FramingProperty, FindsAValidMessageAfterGarbage) {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    const auto garbage = random_stream(random) + "\n";
    Deframer deframer;
    deframer.feed(garbage);
    drain(deframer);
    while (deframer.undecided()) {
      deframer.flush();
      drain(deframer);
    }
    const auto good = R"({"jsonrpc":"2.0","id":"the good one","method":")" + std::string(random() % 90, 'm') + "\"}";
    std::string bytes;
    append_frame(bytes, good, round % 2 == 0 ? Framing::line : Framing::content_length);
    deframer.feed(bytes);
    bool found = false;
    for (const auto& frame : drain_to_end(deframer)) found = found || frame.text == good;
    ASSERT_TRUE(found) << testing::PrintToString(garbage);
  }
}

std::size_t frames_of(const std::string& start, const std::string& unit) {
  constexpr std::size_t size = 2'000'000, piece = 100;
  std::string stream = start;
  while (stream.size() < size) stream += unit;
  Deframer deframer;
  std::size_t frames = 0;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    deframer.feed(std::string_view(stream).substr(at, piece));
    frames += drain(deframer).size();
    frames += deframer.undecided() ? 0 : 1;
  }
  return frames + drain_to_end(deframer).size();
}

// Each of these would take hours if bytes were examined again with every piece.
TEST(FramingProperty_C_23, TimeIsLinear) {
  for (const std::string unit : {"x",
                                 "{",
                                 "[",
                                 "\n",
                                 " ",
                                 "C",
                                 "}",
                                 "{}",
                                 "Content-Length: 9\n",
                                 "Content-Length: 9\r\n\r\n",
                                 "Content-Length: 2\n\n[\"",
                                 "Content-Length: 2[\"",
                                 "Content-Length: 1\n\n[",
                                 "Content-Length: 99999999\n\n[1",
                                 "Content-Length: 99999999\n\nx\n",
                                 "Content-Length: 9999999\n\n{} ",
                                 "Content-Length: 3\n\n{\"a\":1,\n",
                                 "1,\n",
                                 "\"",
                                 "\\\"",
                                 "{}Content-Length: 9",
                                 "{}Content-Length: 9\n",
                                 "Content-Length: 5\n\nx\n{}x "}) {
    EXPECT_NE(frames_of("", unit), 0u) << unit;
  }
  for (const std::string start :
       {"{", "{\"a\":1}", "Content-Length: 5\n\nx\n{xxx", "Content-Length: 9\n\n{\"a\":\n{}\n"}) {
    for (const std::string unit : {" ", "\r", "}", "{}\n"}) EXPECT_NE(frames_of(start, unit), 0u) << start << unit;
  }
}

}  // namespace
}  // namespace fairlead::transport::framing_property_test
