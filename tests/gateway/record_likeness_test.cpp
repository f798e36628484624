#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/record/likeness.hpp"

namespace fairlead::gateway::record_likeness_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> differences(const std::string& recorded, const std::string& now,
                                     std::vector<std::string> ignore = {}) {
  Likeness likeness(std::move(ignore));
  return likeness.differences(json::Payload::trusted(recorded), json::Payload::trusted(now));
}

TEST(RecordLikeness, SaysWhereAndWhat) {
  EXPECT_THAT(differences(R"({"a":[{"b":1},2],"c":true})", R"({"a":[{"b":"1"}],"d":null})"),
              ElementsAre("a: 1 items instead of 2", R"(a[0].b: "1" instead of 1)", "c: is missing, and was true",
                          "d: null is new"));
}

TEST(RecordLikeness, OrderOfMembersIsNoDifference) {
  EXPECT_THAT(differences(R"({"a":1,"b":2})", R"({ "b":2, "a":1 })"), IsEmpty());
}

TEST(RecordLikeness, WhatDiffersFromRunToRunIsNoDifference) {
  EXPECT_THAT(differences(R"({"_meta":{"progressToken":1},"x":1})", R"({"x":1})"), IsEmpty());
  EXPECT_THAT(differences(R"({"at":"2026-01-01T00:00:00Z"})", R"({"at":"2026-11-16T14:00:00.123+01:00"})"), IsEmpty());
  EXPECT_THAT(differences(R"({"id":"6f1ed002-ab5c-4f0e-9f0e-0d6c0b1f9a11"})",
                          R"({"id":"11111111-ab5c-4f0e-9f0e-0d6c0b1f9a11"})"),
              IsEmpty());
  EXPECT_THAT(differences(R"({"taskId":"1"})", R"({"taskId":"2"})"), IsEmpty());
  EXPECT_THAT(differences(R"({"taskId":"1"})", R"({})"), testing::SizeIs(1));
}

TEST(RecordLikeness, WhatWasHiddenMayBeAnything) {
  EXPECT_THAT(differences(R"({"password":"[redacted]","n":1})", R"({"password":5,"n":1})"), IsEmpty());
  EXPECT_THAT(differences(R"({"t":"a [redacted] b [redacted]"})", R"({"t":"a x b y"})"), IsEmpty());
  EXPECT_THAT(differences(R"({"t":"a [redacted] b"})", R"({"t":"a x c"})"), testing::SizeIs(1));
}

TEST(RecordLikeness, WhatIsIgnoredIsNotLookedAt) {
  EXPECT_THAT(differences(R"({"took":1,"b":{"took":2}})", R"({"b":{}})", {"took"}), IsEmpty());
}

TEST(RecordLikeness, IdsOfThisRunStandForThoseOfThat) {
  Likeness likeness;
  likeness.differences(json::Payload::trusted(R"({"taskId":"old"})"), json::Payload::trusted(R"({"taskId":"new"})"));
  EXPECT_EQ(likeness.translated(json::Payload::trusted(R"({"taskId":"old","also":"older"})")).text(),
            R"({"taskId":"new","also":"older"})");
}

}  // namespace
}  // namespace fairlead::gateway::record_likeness_test
