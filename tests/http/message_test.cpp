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

}  // namespace
}  // namespace fairlead::http::message_test
