#include <fairlead/base/result.hpp>

#include <gtest/gtest.h>

namespace fairlead::result_test {
namespace {

TEST(Result, HoldsAValue) {
  const Result<int> result = 7;
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 7);
}

TEST(Result, HoldsAnErrorKindAndMessage) {
  const Result<int> result = fail(ErrorKind::timeout, "ask again");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::timeout);
  EXPECT_EQ(result.error().message, "ask again");
  EXPECT_EQ(result.error().code, 0);
  EXPECT_TRUE(result.error().data.empty());
}

TEST(Result, ErrorsCompareByValue) {
  const Error error{.kind = ErrorKind::refused, .message = "no", .code = -1};
  EXPECT_EQ(error, (Error{.kind = ErrorKind::refused, .message = "no", .code = -1}));
  EXPECT_NE(error, (Error{.kind = ErrorKind::refused, .message = "no", .code = -2}));
}

TEST(ErrorPlane, SeparatesTransportProtocolAndUsage) {
  for (const auto kind : {ErrorKind::closed, ErrorKind::timeout, ErrorKind::cancelled})
    EXPECT_EQ(plane(kind), ErrorPlane::transport);
  for (const auto kind : {ErrorKind::malformed, ErrorKind::refused}) EXPECT_EQ(plane(kind), ErrorPlane::protocol);
  EXPECT_EQ(plane(ErrorKind::invalid), ErrorPlane::usage);
}

}  // namespace
}  // namespace fairlead::result_test
