#include "answer/retry.hpp"

#include <gtest/gtest.h>

namespace fairlead::answer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.
const auto moment = std::chrono::system_clock::from_time_t(784'111'777);

std::optional<Duration> pause_of(std::string name, std::string value) {
  http::ClientResponse response;
  response.headers.push_back({std::move(name), std::move(value)});
  return asked_pause(response, moment);
}

TEST(AnswerRetry, OnlyHasteAndTheEndpointsTroublePass) {
  for (const int status : {429, 500, 502, 503, 529}) EXPECT_TRUE(is_passing(status)) << status;
  for (const int status : {200, 301, 400, 401, 403, 404, 408, 409, 422}) EXPECT_FALSE(is_passing(status)) << status;
}

TEST(AnswerRetry, EachPauseIsTwiceTheOneBefore) {
  const Duration first = milliseconds{300};
  EXPECT_EQ(pause_before(2, first, {}), milliseconds{300});
  EXPECT_EQ(pause_before(3, first, {}), milliseconds{600});
  EXPECT_EQ(pause_before(4, first, {}), milliseconds{1200});
}

TEST(AnswerRetry, TheEndpointMayAskForMoreButNotForLess) {
  EXPECT_EQ(pause_before(2, milliseconds{300}, seconds{7}), seconds{7});
  EXPECT_EQ(pause_before(3, milliseconds{300}, milliseconds{10}), milliseconds{600});
}

TEST(AnswerRetry, APauseIsAskedForInSecondsMillisecondsOrAsADate) {
  EXPECT_EQ(pause_of("Retry-After", "7"), seconds{7});
  EXPECT_EQ(pause_of("retry-after-ms", "1500"), milliseconds{1500});
  EXPECT_EQ(pause_of("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT"), seconds{10});
  EXPECT_EQ(pause_of("Retry-After", "Sun, 06 Nov 1994 08:49:00 GMT"), seconds{0});
  for (const auto* nonsense : {"", "soon", "-3", "7 s", "nan"})
    EXPECT_FALSE(pause_of("Retry-After", nonsense)) << nonsense;
  EXPECT_EQ(pause_of("Retry-After", "1e300"), seconds{86'400});
}

}  // namespace
}  // namespace fairlead::answer
