#include "gateway/record/replay_diff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::gateway::replay_diff_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> differences(const std::string& recorded, const std::string& now,
                                     std::vector<std::string> ignore = {}) {
  ReplayDiff diff(std::move(ignore));
  return diff.differences(json::Payload::trusted(recorded), json::Payload::trusted(now));
}

TEST(ReplayDiffTest, ReportsPathAndValues) {
  EXPECT_THAT(differences(R"({"a":[{"b":1},2],"c":true})", R"({"a":[{"b":"1"}],"d":null})"),
              ElementsAre("a: 1 items instead of 2", R"(a[0].b: "1" instead of 1)", "c: is missing, expected true",
                          "d: null is new"));
}

TEST(ReplayDiffTest, IgnoresMemberOrder) {
  EXPECT_THAT(differences(R"({"a":1,"b":2})", R"({ "b":2, "a":1 })"), IsEmpty());
}

TEST(ReplayDiffTest, IgnoresVolatileValues) {
  EXPECT_THAT(differences(R"({"_meta":{"progressToken":1},"x":1})", R"({"x":1})"), IsEmpty());
  EXPECT_THAT(differences(R"({"at":"2026-01-01T00:00:00Z"})", R"({"at":"2026-11-16T14:00:00.123+01:00"})"), IsEmpty());
  EXPECT_THAT(differences(R"({"id":"6f1ed002-ab5c-4f0e-9f0e-0d6c0b1f9a11"})",
                          R"({"id":"11111111-ab5c-4f0e-9f0e-0d6c0b1f9a11"})"),
              IsEmpty());
  EXPECT_THAT(differences(R"({"taskId":"1"})", R"({"taskId":"2"})"), IsEmpty());
  EXPECT_THAT(differences(R"({"taskId":"1"})", R"({})"), testing::SizeIs(1));
}

TEST(ReplayDiffTest, RedactedTextMatchesAnything) {
  EXPECT_THAT(differences(R"({"password":"[redacted]","n":1})", R"({"password":5,"n":1})"), IsEmpty());
  EXPECT_THAT(differences(R"({"t":"a [redacted] b [redacted]"})", R"({"t":"a x b y"})"), IsEmpty());
  EXPECT_THAT(differences(R"({"t":"a [redacted] b"})", R"({"t":"a x c"})"), testing::SizeIs(1));
}

TEST(ReplayDiffTest, IgnoresTheGivenMembers) {
  EXPECT_THAT(differences(R"({"took":1,"b":{"took":2}})", R"({"b":{}})", {"took"}), IsEmpty());
}

TEST(ReplayDiffTest, MapsRecordedIdsToCurrentIds) {
  ReplayDiff diff;
  diff.differences(json::Payload::trusted(R"({"taskId":"old"})"), json::Payload::trusted(R"({"taskId":"new"})"));
  EXPECT_EQ(diff.with_current_ids(json::Payload::trusted(R"({"taskId":"old","also":"older"})")).text(),
            R"({"taskId":"new","also":"older"})");
}

}  // namespace
}  // namespace fairlead::gateway::replay_diff_test
