#include "load/answer_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/websocket_frame.hpp"

namespace fairlead::load::answer_reader_test {
namespace {

using testing::ElementsAre;

struct CollectedAnswers final : AnswerSink {
  void on_answer(std::uint16_t status, std::string_view body) override {
    statuses.push_back(status);
    bodies.emplace_back(body);
  }
  std::vector<std::uint16_t> statuses;
  std::vector<std::string> bodies;
};

/// Feeds `bytes` in pieces of `size` bytes and returns the answers.
template <class Reader>
CollectedAnswers read_in_pieces(std::string_view bytes, std::size_t size) {
  Reader reader;
  CollectedAnswers answers;
  while (!bytes.empty()) {
    const std::string piece(bytes.substr(0, size));
    EXPECT_TRUE(reader.feed(piece, answers));
    bytes.remove_prefix(piece.size());
  }
  return answers;
}

TEST(HttpAnswerReader, ParsesAnswersInPiecesOfAnySize) {
  const std::string bytes =
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
      "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nsec\r\n3\r\nond\r\n0\r\n\r\n"
      "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone";
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    const auto answers = read_in_pieces<HttpAnswerReader>(bytes, size);
    EXPECT_THAT(answers.bodies, ElementsAre("first", "", "second", "gone")) << size;
    EXPECT_THAT(answers.statuses, ElementsAre(200, 202, 200, 404)) << size;
  }
}

TEST(HttpAnswerReader, StoresTheSessionId) {
  HttpAnswerReader reader;
  CollectedAnswers answers;
  ASSERT_TRUE(reader.feed("HTTP/1.1 200 OK\r\nmcp-session-id: abc\r\nContent-Length: 2\r\n\r\n{}", answers));
  EXPECT_EQ(reader.session(), "abc");
}

TEST(HttpAnswerReader, ReportsAnOpenBody) {
  HttpAnswerReader reader;
  CollectedAnswers answers;
  ASSERT_TRUE(reader.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", answers));
  EXPECT_TRUE(reader.in_body());
  EXPECT_TRUE(answers.bodies.empty());
}

TEST(HttpAnswerReader, RejectsInvalidHttp) {
  HttpAnswerReader reader;
  CollectedAnswers answers;
  EXPECT_FALSE(reader.feed("hello\r\n\r\n", answers));
}

TEST(LineAnswerReader, ParsesLinesInPiecesOfAnySize) {
  const std::string bytes = "first\nsecond\n\nthird\n";
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    EXPECT_THAT(read_in_pieces<LineAnswerReader>(bytes, size).bodies, ElementsAre("first", "second", "", "third"))
        << size;
  }
}

TEST(FrameAnswerReader, ParsesFramesInPiecesOfAnySize) {
  std::string bytes;
  http::write_frame(bytes, http::Opcode::text, "first", std::nullopt);
  http::write_frame(bytes, http::Opcode::ping, "still there?", std::nullopt);
  http::write_frame(bytes, http::Opcode::text, std::string(300, 'x'), std::nullopt);
  // A message of two fragments.
  bytes += std::string("\x01\x03", 2) + "sec" + std::string("\x80\x03", 2) + "ond";
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    const auto answers = read_in_pieces<FrameAnswerReader>(bytes, size);
    EXPECT_THAT(answers.bodies, ElementsAre("first", std::string(300, 'x'), "second")) << size;
  }
}

TEST(FrameAnswerReader, ReportsTheCloseFrame) {
  std::string bytes;
  http::write_frame(bytes, http::Opcode::close, http::close_payload({.code = 1001}), std::nullopt);
  FrameAnswerReader reader;
  CollectedAnswers answers;
  const auto fed = reader.feed(bytes, answers);
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().kind, ErrorKind::closed);
}

}  // namespace
}  // namespace fairlead::load::answer_reader_test
