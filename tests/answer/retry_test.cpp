#include "answer/retry.hpp"

#include <gtest/gtest.h>

namespace fairlead::answer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.
const auto moment = std::chrono::system_clock::from_time_t(784'111'777);

std::optional<Duration> retry_after_of(std::string name, std::string value) {
  http::ClientResponse response;
  response.headers.push_back({std::move(name), std::move(value)});
  return retry_after(response, moment);
}

TEST(AnswerRetry, RetriesOnly429And5xx) {
  for (const int status : {429, 500, 502, 503, 529}) EXPECT_TRUE(is_retryable(status)) << status;
  for (const int status : {200, 301, 400, 401, 403, 404, 408, 409, 422}) EXPECT_FALSE(is_retryable(status)) << status;
}

TEST(AnswerRetry, BackoffDoubles) {
  const Duration first = milliseconds{300};
  EXPECT_EQ(backoff_before(2, first, {}), milliseconds{300});
  EXPECT_EQ(backoff_before(3, first, {}), milliseconds{600});
  EXPECT_EQ(backoff_before(4, first, {}), milliseconds{1200});
}

TEST(AnswerRetry, RetryAfterExtendsTheBackoff) {
  EXPECT_EQ(backoff_before(2, milliseconds{300}, seconds{7}), seconds{7});
  EXPECT_EQ(backoff_before(3, milliseconds{300}, milliseconds{10}), milliseconds{600});
}

TEST(AnswerRetry, ParsesRetryAfterSecondsMillisecondsAndDates) {
  EXPECT_EQ(retry_after_of("Retry-After", "7"), seconds{7});
  EXPECT_EQ(retry_after_of("retry-after-ms", "1500"), milliseconds{1500});
  EXPECT_EQ(retry_after_of("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT"), seconds{10});
  EXPECT_EQ(retry_after_of("Retry-After", "Sun, 06 Nov 1994 08:49:00 GMT"), seconds{0});
  for (const auto* nonsense : {"", "soon", "-3", "7 s", "nan"})
    EXPECT_FALSE(retry_after_of("Retry-After", nonsense)) << nonsense;
  EXPECT_EQ(retry_after_of("Retry-After", "1e300"), seconds{86'400});
}

}  // namespace
}  // namespace fairlead::answer
