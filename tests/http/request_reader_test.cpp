#include "http/request_reader.hpp"

#include <gtest/gtest.h>

namespace fairlead::http::request_reader_test {
namespace {

using Step = RequestReader::Step;

/// Description of the first request in the bytes.
std::uint16_t refusal_of(std::string_view bytes, const Limits& limits = {}) {
  RequestReader reader(limits);
  auto step = reader.feed(bytes);
  if (step == Step::body_next) step = reader.feed(bytes);
  return step == Step::fault ? reader.fault().status : 0;
}

TEST(RequestReader, ReadsRequestsOneAfterTheOther) {
  std::string_view bytes =
      "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET /b?c HTTP/1.1\r\nHost: h\r\n\r\n";
  RequestReader reader({});
  ASSERT_EQ(reader.feed(bytes), Step::whole);
  EXPECT_EQ(reader.request().body, "abc");
  EXPECT_EQ(reader.request().path, "/a");
  reader.next();
  ASSERT_EQ(reader.feed(bytes), Step::whole);
  EXPECT_EQ(reader.request().path, "/b");
  EXPECT_EQ(reader.request().query, "c");
  EXPECT_EQ(reader.request().body, "");
  EXPECT_TRUE(bytes.empty());
}

TEST(RequestReader, ParsesBytesSplitAnywhere) {
  const std::string all =
      "POST /a?b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  for (std::size_t piece = 1; piece <= all.size(); ++piece) {
    RequestReader reader({});
    auto step = Step::more;
    for (std::size_t at = 0; at < all.size(); at += piece) {
      // A separate buffer, so that a dangling view is detected.
      const std::string part = all.substr(at, piece);
      std::string_view bytes = part;
      step = reader.feed(bytes);
      if (step == Step::body_next) step = reader.feed(bytes);
      ASSERT_EQ(bytes.size(), 0u);
      if (step == Step::whole) reader.own_head();
    }
    ASSERT_EQ(step, Step::whole) << piece;
    EXPECT_EQ(reader.request().method, "POST");
    EXPECT_EQ(reader.request().path, "/a");
    EXPECT_EQ(reader.request().query, "b");
    EXPECT_EQ(reader.request().header("host"), "h");
    EXPECT_EQ(reader.request().body, "abcde");
  }
}

TEST(RequestReader, RequiresOneHost) {
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/1.0\r\n\r\n"), 0);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"), 400);
}

TEST(RequestReader, AcceptsAbsoluteTargets) {
  std::string_view bytes = "GET http://h:1/a?b HTTP/1.1\r\nHost: h:1\r\n\r\nGET http://h HTTP/1.1\r\nHost: h\r\n\r\n";
  RequestReader reader({});
  ASSERT_EQ(reader.feed(bytes), Step::whole);
  EXPECT_EQ(reader.request().path, "/a");
  EXPECT_EQ(reader.request().query, "b");
  reader.next();
  ASSERT_EQ(reader.feed(bytes), Step::whole);
  reader.own_head();
  EXPECT_EQ(reader.request().path, "/");
}

TEST(RequestReader, RejectsTargetsThatContradictHost) {
  EXPECT_EQ(refusal_of("GET http://evil/ HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
}

TEST(RequestReader, RejectsInvalidTargets) {
  EXPECT_EQ(refusal_of("GET a HTTP/1.1\r\nHost: h\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET * HTTP/1.1\r\nHost: h\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"), 0);
  EXPECT_EQ(refusal_of("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n"), 501);
}

TEST(RequestReader, RejectsTooLargeBodiesByTheirLength) {
  const Limits limits{.body_bytes = 10};
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n", limits), 413);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n", limits), 0);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n", limits), 413);
}

TEST(RequestReader, ReportsExpectContinueOnce) {
  std::string_view bytes = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n";
  RequestReader reader({});
  ASSERT_EQ(reader.feed(bytes), Step::body_next);
  ASSERT_EQ(reader.feed(bytes), Step::wants_continue);
  EXPECT_EQ(reader.feed(bytes), Step::more);
  bytes = "a";
  EXPECT_EQ(reader.feed(bytes), Step::whole);
}

TEST(RequestReader, IgnoresExpectContinueIfTheBodyHasArrived) {
  std::string_view bytes = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na";
  RequestReader reader({});
  EXPECT_EQ(reader.feed(bytes), Step::whole);
}

TEST(RequestReader, RejectsOtherExpectations) {
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n"), 417);
}

TEST(RequestReader, DetectsKeepAlive) {
  const auto goes_on = [](std::string_view bytes) {
    RequestReader reader({});
    reader.feed(bytes);
    return reader.keep_alive();
  };
  EXPECT_TRUE(goes_on("GET / HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_FALSE(goes_on("GET / HTTP/1.1\r\nHost: h\r\nConnection: foo, Close\r\n\r\n"));
  EXPECT_FALSE(goes_on("GET / HTTP/1.0\r\nHost: h\r\n\r\n"));
  EXPECT_TRUE(goes_on("GET / HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n"));
}

TEST(RequestReader, ReleaseMemoryKeepsTheMethod) {
  RequestReader reader({});
  std::string_view bytes = "GET /a?b HTTP/1.1\r\nHost: c\r\n\r\n";
  ASSERT_EQ(reader.feed(bytes), RequestReader::Step::whole);
  reader.own_head();
  reader.release_memory();
  EXPECT_EQ(reader.request().method, "GET");
  EXPECT_EQ(reader.request().path, "");
  EXPECT_EQ(reader.request().header("Host"), std::nullopt);
  EXPECT_TRUE(reader.keep_alive());
  reader.next();
  bytes = "POST / HTTP/1.1\r\nHost: d\r\n\r\n";
  ASSERT_EQ(reader.feed(bytes), RequestReader::Step::whole);
  EXPECT_EQ(reader.request().header("Host"), "d");
}

TEST(RequestReader, Finding_S8_ReportsTheHeadBeforeAMissingBody) {
  for (const auto* length : {"Content-Length: 3", "Transfer-Encoding: chunked"}) {
    const std::string head = "POST /a HTTP/1.1\r\nHost: h\r\n" + std::string(length) + "\r\n\r\n";
    std::string_view bytes = head;
    RequestReader reader({});
    ASSERT_EQ(reader.feed(bytes), Step::body_next) << length;
    EXPECT_EQ(reader.request().path, "/a");
    EXPECT_EQ(reader.request().header("Host"), "h");
    EXPECT_EQ(reader.feed(bytes), Step::more);
  }
}

TEST(RequestReader, Finding_S23_RejectsOtherSchemes) {
  EXPECT_EQ(refusal_of("GET ftp://h/path HTTP/1.1\r\nHost: h\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET file://h/path HTTP/1.1\r\nHost: h\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET ://h/path HTTP/1.1\r\nHost: h\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET HTTP://h/path HTTP/1.1\r\nHost: h\r\n\r\n"), 0);
  EXPECT_EQ(refusal_of("GET https://h/path HTTP/1.1\r\nHost: h\r\n\r\n"), 0);
}

}  // namespace
}  // namespace fairlead::http::request_reader_test
