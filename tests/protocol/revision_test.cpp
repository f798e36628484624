#include <fairlead/protocol/revision.hpp>

#include <algorithm>
#include <gtest/gtest.h>

namespace fairlead::protocol::revision_test {
namespace {

const Revision& named(std::string_view name) {
  return *find_revision(name);
}

TEST(Revision, ThereAreFiveInOrderOfDate) {
  EXPECT_EQ(revisions().size(), 5u);
  EXPECT_TRUE(std::ranges::is_sorted(revisions(), {}, &Revision::name));
  EXPECT_EQ(newest().name, "2026-07-28");
  EXPECT_EQ(newest_handshake().name, "2025-11-25");
}

TEST(Revision, UnknownNamesAreNotFound) {
  EXPECT_EQ(find_revision("2025-06-19"), nullptr);
  EXPECT_EQ(find_revision(""), nullptr);
}

TEST(Revision, NegotiatesARequestedRevision) {
  EXPECT_EQ(negotiate("2025-06-18").name, "2025-06-18");
  EXPECT_EQ(negotiate("2024-11-05").name, "2024-11-05");
}

TEST(Revision, NegotiatesTheNewestForAnUnknownName) {
  EXPECT_EQ(negotiate("1999-01-01").name, "2025-11-25");
  EXPECT_EQ(negotiate("").name, "2025-11-25");
}

// A client that sends initialize uses the handshake era, whichever version it names.
TEST(Revision, NeverNegotiatesAStatelessRevision) {
  EXPECT_EQ(negotiate("2026-07-28").name, "2025-11-25");
}

TEST(Revision, HasADefaultForHttpWithoutHeader) {
  EXPECT_EQ(assumed_over_http().name, "2025-03-26");
}

TEST(Revision, OnlyOneRevisionAllowsBatches) {
  for (const auto& revision : revisions()) EXPECT_EQ(revision.batches, revision.name == "2025-03-26") << revision.name;
}

TEST(Revision, StatelessRevisionsLackHandshakeMethods) {
  for (const auto method : {"initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/result"}) {
    EXPECT_FALSE(newest().client_requests.contains(method)) << method;
    EXPECT_TRUE(newest_handshake().client_requests.contains(method)) << method;
  }
  EXPECT_TRUE(newest().client_requests.contains("server/discover"));
  EXPECT_EQ(newest().server_requests.size(), 0u);
}

TEST(Revision, TheThirdRevisionAddsElicitation) {
  EXPECT_FALSE(named("2025-03-26").server_requests.contains("elicitation/create"));
  EXPECT_TRUE(named("2025-06-18").server_requests.contains("elicitation/create"));
}

TEST(MethodSet, AddsAndRemovesNames) {
  MethodSet set = {"a", "b", "c"};
  set -= {"b", "x"};
  set += {"d"};
  EXPECT_TRUE(std::ranges::equal(set, std::initializer_list<std::string_view>{"a", "c", "d"}));
  EXPECT_FALSE(set.contains("b"));
}

}  // namespace
}  // namespace fairlead::protocol::revision_test
