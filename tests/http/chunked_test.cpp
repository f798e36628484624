#include "http/chunked.hpp"

#include <gtest/gtest.h>

namespace fairlead::http::chunked_test {
namespace {

struct Decoded {
  std::expected<bool, HttpParseError> outcome = false;
  std::string body;
  std::string rest;
};

Decoded decode(std::string_view bytes, std::size_t piece = std::string_view::npos, std::uint64_t max_body = 1000) {
  ChunkedDecoder decoder(max_body);
  Decoded result;
  while (!bytes.empty()) {
    auto part = bytes.substr(0, piece);
    const auto size = part.size();
    result.outcome = decoder.feed(part, result.body);
    bytes.remove_prefix(size - part.size());
    if (!result.outcome || *result.outcome) break;
  }
  result.rest = bytes;
  return result;
}

std::uint16_t refusal_of(std::string_view bytes, std::uint64_t max_body = 1000) {
  const auto outcome = decode(bytes, std::string_view::npos, max_body).outcome;
  return outcome ? 0 : outcome.error().status;
}

TEST(ChunkedDecoder, JoinsChunksSplitAnywhere) {
  const std::string_view bytes = "5\r\nhello\r\n00A;x=\"y\"\r\n, world!!!\r\n0\r\nTrailer: t\r\n\r\nnext";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const auto decoded = decode(bytes, piece);
    ASSERT_TRUE(decoded.outcome && *decoded.outcome) << piece;
    EXPECT_EQ(decoded.body, "hello, world!!!");
    EXPECT_EQ(decoded.rest, "next");
  }
}

TEST(ChunkedDecoder, EndsWithoutTrailers) {
  EXPECT_TRUE(decode("0\r\n\r\n").outcome.value());
}

TEST(ChunkedDecoder, WaitsForTheEnd) {
  EXPECT_FALSE(decode("1\r\na\r\n0\r\n").outcome.value());
}

TEST(ChunkedDecoder, RejectsBareLineFeeds) {
  EXPECT_EQ(refusal_of("1\na"), 400);
  EXPECT_EQ(refusal_of("1\r\na\n"), 400);
  EXPECT_EQ(refusal_of("1;x\n"), 400);
  EXPECT_EQ(refusal_of("0\r\n\n"), 400);
  EXPECT_EQ(refusal_of("0\r\nA: b\n"), 400);
}

TEST(ChunkedDecoder, RejectsInvalidSizes) {
  for (const auto* text : {"\r\n", "g\r\n", "-1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "1\rx", "00000000000000001\r\n"}) {
    EXPECT_EQ(refusal_of(text), 400) << text;
  }
}

TEST(ChunkedDecoder, RejectsChunksLongerThanDeclared) {
  EXPECT_EQ(refusal_of("1\r\nab\r\n"), 400);
}

TEST(ChunkedDecoder, RejectsTooLargeBodies) {
  EXPECT_EQ(refusal_of("5\r\nhello\r\n6\r\n", 10), 413);
  EXPECT_EQ(refusal_of("ffffffffffffffff\r\n", 10), 413);
  EXPECT_EQ(refusal_of("5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n", 10), 0);
}

TEST(ChunkedDecoder, LimitsExtensions) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += "1;" + std::string(100, 'e') + "\r\na\r\n";
  EXPECT_EQ(refusal_of(bytes), 400);
}

TEST(ChunkedDecoder, LimitsTrailers) {
  EXPECT_EQ(refusal_of("0\r\nA: " + std::string(10000, 'a')), 400);
}

}  // namespace
}  // namespace fairlead::http::chunked_test
