#include <fairlead/http/message.hpp>

#include <gtest/gtest.h>

namespace fairlead::http::message_test {
namespace {

TEST(Request, FindsHeadersIgnoringCase) {
  Request request;
  request.headers = {{"content-type", " application/json "}, {"Accept", "a"}, {"ACCEPT", "b"}};
  EXPECT_EQ(request.header("Content-Type"), "application/json");
  EXPECT_EQ(request.header("accept"), "a");
  EXPECT_EQ(request.count("accept"), 2u);
  EXPECT_EQ(request.header("Host"), std::nullopt);
}

TEST(Request, NameBitIgnoresCase) {
  EXPECT_EQ(Request::name_bit("Content-Type"), Request::name_bit("content-TYPE"));
  EXPECT_NE(Request::name_bit("Via"), Request::name_bit("Host"));
  EXPECT_NE(Request::name_bit(""), 0u);
}

TEST(Request, SkipsHeadersWithoutTheirBit) {
  Request request;
  request.headers = {{"Host", "a"}};
  request.header_bits = Request::name_bit("host");
  EXPECT_EQ(request.header("Host"), "a");
  EXPECT_EQ(request.count("HOST"), 1u);
  EXPECT_FALSE(request.may_have_header("Via"));
  // Names with the same bit are still distinguished.
  request.header_bits = ~std::uint64_t{0};
  EXPECT_EQ(request.header("Via"), std::nullopt);
}

TEST(Request, FindsIndexedHeaders) {
  Request request;
  // The second and third share a slot of the index.
  request.headers = {{"Host", "h"}, {"ab", "1"}, {"AB", "2"}, {"Via", "v"}};
  request.index_headers();
  EXPECT_EQ(request.header("host"), "h");
  EXPECT_EQ(request.header("via"), "v");
  EXPECT_EQ(request.count("ab"), 2u);
  EXPECT_EQ(request.find_header("Ab", 2), 2u);
  EXPECT_EQ(request.find_header("Ab", 3), request.headers.size());
  EXPECT_EQ(request.find_header("Host", 1), request.headers.size());
  EXPECT_EQ(request.header("Accept"), std::nullopt);
  request.headers.clear();
  EXPECT_EQ(request.header("Host"), std::nullopt);
}

TEST(Request, FindsHeadersBeyondTheIndex) {
  Request request;
  request.headers.assign(300, {"x", "1"});
  request.headers.push_back({"Host", "h"});
  request.index_headers();
  EXPECT_EQ(request.header("Host"), "h");
  EXPECT_EQ(request.count("Host"), 1u);
  EXPECT_EQ(request.count("X"), 300u);
}

}  // namespace
}  // namespace fairlead::http::message_test
