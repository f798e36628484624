#include "http/head_parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace fairlead::http::head_parser_test {
namespace {

constexpr HeadLimits limits;

struct Read {
  Parsed<RequestHead> head;
  std::vector<HeaderView> headers;
};

Read read(std::string_view bytes, const HeadLimits& with = limits) {
  Read result{};
  result.head = parse_request_head(bytes, with, result.headers);
  return result;
}

std::uint16_t refusal_of(std::string_view bytes, const HeadLimits& with = limits) {
  const auto head = read(bytes, with).head;
  return head ? 0 : head.error().status;
}

// A valid head with these extra lines.
std::uint16_t refusal_of_field(std::string_view lines) {
  return refusal_of("GET / HTTP/1.1\r\nHost: a\r\n" + std::string(lines) + "\r\n\r\n");
}

TEST(HeadParser, ParsesRequests) {
  const std::string_view bytes = "POST /mcp?a=b HTTP/1.1\r\nHost: a:1\r\nX-Empty:\r\nAccept:  a, b \t\r\n\r\nrest";
  const auto [head, headers] = read(bytes);
  ASSERT_TRUE(head && *head);
  EXPECT_EQ((*head)->method, "POST");
  EXPECT_EQ((*head)->target, "/mcp?a=b");
  EXPECT_EQ((*head)->minor, 1u);
  EXPECT_EQ(bytes.substr((*head)->size), "rest");
  ASSERT_EQ(headers.size(), 3u);
  EXPECT_EQ(headers[1].name, "X-Empty");
  EXPECT_EQ(headers[1].value, "");
  EXPECT_EQ(headers[2].value, "a, b");
}

TEST(HeadParser, WaitsForMissingBytes) {
  const std::string bytes = "GET / HTTP/1.0\r\nHost: a\r\nB: c\r\n\r\n";
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto head = read(std::string_view(bytes).substr(0, size)).head;
    ASSERT_TRUE(head) << size;
    EXPECT_FALSE(*head) << size;
  }
  EXPECT_TRUE(*read(bytes).head);
}

TEST(HeadParser, AcceptsOneLeadingEmptyLine) {
  EXPECT_TRUE(*read("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").head);
  EXPECT_EQ(refusal_of("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
}

TEST(HeadParser, RejectsBareLineFeeds) {
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nHost: a\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nHost: a\r\n\n"), 400);
  EXPECT_EQ(refusal_of("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
}

TEST(HeadParser, RejectsBareCarriageReturns) {
  EXPECT_EQ(refusal_of_field("A: b\rC: d"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\r\nHost: a\r\n\r\n"), 400);
}

TEST(HeadParser, RejectsFoldedFields) {
  EXPECT_EQ(refusal_of_field("A: b\r\n c"), 400);
  EXPECT_EQ(refusal_of_field("A: b\r\n\tc"), 400);
}

TEST(HeadParser, RejectsWhiteSpaceAroundNames) {
  EXPECT_EQ(refusal_of_field("Content-Length : 5"), 400);
  EXPECT_EQ(refusal_of_field("Content-Length\t: 5"), 400);
  EXPECT_EQ(refusal_of(std::string("GET / HTTP/1.1\r\n Host: a\r\n\r\n")), 400);
}

TEST(HeadParser, RejectsInvalidFieldNames) {
  EXPECT_EQ(refusal_of_field(": b"), 400);
  EXPECT_EQ(refusal_of_field("no colon"), 400);
  EXPECT_EQ(refusal_of_field("a b: c"), 400);
  EXPECT_EQ(refusal_of_field("a\x80: c"), 400);
  EXPECT_EQ(refusal_of_field("(a): c"), 400);
}

TEST(HeadParser, RejectsControlCharactersInValues) {
  EXPECT_EQ(refusal_of_field(std::string("A: b\0c", 6)), 400);
  EXPECT_EQ(refusal_of_field("A: b\x01"), 400);
  EXPECT_EQ(refusal_of_field("A: b\x7f"), 400);
  EXPECT_EQ(refusal_of_field("A: b\tc \xc3\xa4"), 0);
}

// Values are scanned eight bytes at a time.
TEST(HeadParser, ChecksEveryByteOfAValue) {
  for (std::size_t at = 0; at < 40; ++at) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::string value(40, 'x');
      value[at] = static_cast<char>(byte);
      const bool allowed = byte == '\t' || (byte >= ' ' && byte != 127);
      EXPECT_EQ(refusal_of_field("X:" + value), allowed ? 0 : 400) << at << ' ' << byte;
    }
  }
}

TEST(HeadParser, RejectsInvalidRequestLines) {
  for (const auto* line : {"GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /a b HTTP/1.1",
                           "GET / HTTP/1", "GET / http/1.1", "G@T / HTTP/1.1", "GET /\x80 HTTP/1.1", "GET /#a HTTP/1.1",
                           "GET\t/ HTTP/1.1", "/ HTTP/1.1", "GET HTTP/1.1", "GET / HTTP/1.1x", "GET / ICY/1.1"}) {
    EXPECT_EQ(refusal_of(std::string(line) + "\r\nHost: a\r\n\r\n"), 400) << line;
  }
}

TEST(HeadParser, RejectsOtherVersions) {
  for (const auto* version : {"HTTP/0.9", "HTTP/1.2", "HTTP/2.0"}) {
    EXPECT_EQ(refusal_of("GET / " + std::string(version) + "\r\nHost: a\r\n\r\n"), 505) << version;
  }
}

TEST(HeadParser, RejectsNonHttpEarly) {
  EXPECT_EQ(refusal_of("\x16\x03\x01\x02"), 400);
}

TEST(HeadParser, RejectsLongTargets) {
  const HeadLimits small{.target = 100};
  EXPECT_EQ(refusal_of("GET /" + std::string(100, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", small), 414);
  EXPECT_EQ(refusal_of("GET /" + std::string(200, 'a'), small), 414);
  EXPECT_EQ(refusal_of("GET /" + std::string(99, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", small), 0);
}

TEST(HeadParser, RejectsLargeHeads) {
  const std::string big = "GET / HTTP/1.1\r\nHost: a\r\nA: " + std::string(limits.bytes, 'a');
  EXPECT_EQ(refusal_of(big), 431);
  EXPECT_EQ(refusal_of(big + "\r\n\r\n"), 431);
}

TEST(HeadParser, RejectsTooManyFields) {
  std::string lines = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 100; ++i) lines += "A: b\r\n";
  EXPECT_EQ(refusal_of(lines + "\r\n"), 0);
  EXPECT_EQ(refusal_of(lines + "A: b\r\n\r\n"), 431);
}

TEST(HeadParser, ParsesResponses) {
  std::vector<HeaderView> headers;
  const std::string_view bytes = "HTTP/1.1 404 Not Found\r\nA: b\r\n\r\n";
  const auto head = parse_response_head(bytes, limits, headers);
  ASSERT_TRUE(head && *head);
  EXPECT_EQ((*head)->status, 404);
  EXPECT_EQ((*head)->reason, "Not Found");
  EXPECT_EQ((*head)->size, bytes.size());
  EXPECT_EQ(headers.size(), 1u);
}

TEST(HeadParser, ParsesResponsesWithoutReason) {
  std::vector<HeaderView> headers;
  EXPECT_EQ(parse_response_head("HTTP/1.0 200\r\n\r\n", limits, headers).value().value().status, 200);
  EXPECT_EQ(parse_response_head("HTTP/1.0 200 \r\n\r\n", limits, headers).value().value().reason, "");
}

TEST(HeadParser, RejectsInvalidResponses) {
  std::vector<HeaderView> headers;
  for (const auto* line : {"HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1  200 OK", "HTTP/3.0 200 OK", "ICY 200 OK",
                           "HTTP/1.1 099 OK", "HTTP/1.1 +20 OK", "HTTP/1.1 200 O\x01K"}) {
    EXPECT_FALSE(parse_response_head(std::string(line) + "\r\n\r\n", limits, headers)) << line;
  }
}

std::uint16_t framing_refusal(std::vector<HeaderView> headers, unsigned minor = 1) {
  const auto framing = parse_framing(headers, minor);
  return framing ? 0 : framing.error().status;
}

TEST(BodyFraming, AcceptsLengthOrChunked) {
  const std::vector<HeaderView> sized{{"content-length", "12"}}, chunked{{"Transfer-Encoding", "Chunked"}};
  EXPECT_EQ(parse_framing(sized, 1)->length, 12u);
  EXPECT_TRUE(parse_framing(chunked, 1)->chunked);
  EXPECT_EQ(parse_framing({}, 1)->length, std::nullopt);
}

TEST(BodyFraming, RejectsLengthWithTransferEncoding) {
  EXPECT_EQ(framing_refusal({{"Content-Length", "1"}, {"Transfer-Encoding", "chunked"}}), 400);
  EXPECT_EQ(framing_refusal({{"Transfer-Encoding", "chunked"}, {"Content-Length", "0"}}), 400);
}

TEST(BodyFraming, RejectsTwoLengths) {
  EXPECT_EQ(framing_refusal({{"Content-Length", "1"}, {"Content-Length", "2"}}), 400);
  EXPECT_EQ(framing_refusal({{"Content-Length", "1"}, {"Content-Length", "1"}}), 400);
  EXPECT_EQ(framing_refusal({{"Content-Length", "1, 1"}}), 400);
}

TEST(BodyFraming, RejectsNonNumericLength) {
  for (const auto* text : {"", "-1", "+1", "0x1", "1 1", "1a", "99999999999999999999"}) {
    EXPECT_EQ(framing_refusal({{"Content-Length", text}}), 400) << text;
  }
}

TEST(BodyFraming, RejectsOtherTransferCodings) {
  for (const auto* coding : {"gzip", "gzip, chunked", "chunked, chunked", "identity", "xchunked", "chunked;q=1", ""}) {
    EXPECT_EQ(framing_refusal({{"Transfer-Encoding", coding}}), 501) << coding;
  }
  EXPECT_EQ(framing_refusal({{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}}), 400);
  EXPECT_EQ(framing_refusal({{"Transfer-Encoding", "chunked"}}, 0), 400);
}

}  // namespace
}  // namespace fairlead::http::head_parser_test
