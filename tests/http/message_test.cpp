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

}  // namespace
}  // namespace fairlead::http::message_test
