#include <fairlead/http/message.hpp>

#include <gtest/gtest.h>

namespace fairlead::http::message_test {
namespace {

TEST(Request, FindsHeadersWhateverTheirCase) {
  Request request;
  request.headers = {{"content-type", " application/json "}, {"Accept", "a"}, {"ACCEPT", "b"}};
  EXPECT_EQ(request.header("Content-Type"), "application/json");
  EXPECT_EQ(request.header("accept"), "a");
  EXPECT_EQ(request.count("accept"), 2u);
  EXPECT_EQ(request.header("Host"), std::nullopt);
}

TEST(Request, MarksNamesTheSameWhateverTheirCase) {
  EXPECT_EQ(Request::mark_of("Content-Type"), Request::mark_of("content-TYPE"));
  EXPECT_NE(Request::mark_of("Via"), Request::mark_of("Host"));
  EXPECT_NE(Request::mark_of(""), 0u);
}

TEST(Request, DoesNotLookForWhatIsNotMarked) {
  Request request;
  request.headers = {{"Host", "a"}};
  request.names = Request::mark_of("host");
  EXPECT_EQ(request.header("Host"), "a");
  EXPECT_EQ(request.count("HOST"), 1u);
  EXPECT_FALSE(request.may_have("Via"));
  // Names that share a mark are still told apart.
  request.names = ~std::uint64_t{0};
  EXPECT_EQ(request.header("Via"), std::nullopt);
}

}  // namespace
}  // namespace fairlead::http::message_test
