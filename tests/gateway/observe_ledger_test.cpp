#include <gtest/gtest.h>

#include "gateway/observe/ledger.hpp"

namespace fairlead::gateway::test::observe_ledger_test {
namespace {

using std::chrono::milliseconds;

struct LedgerTest : testing::Test {
  void pass(Sight sight, Duration took = milliseconds{3}) {
    session::Call call{.method = sight.method};
    ledger.begins(call, sight);
    sight.ended = sight.begun + took;
    ledger.ended(call, sight);
  }
  static Sight called(std::string tool, Outcome outcome = {}) {
    Sight sight{.hop = Hop::server, .server = "git", .method = "tools/call", .about = std::move(tool), .listed = true};
    sight.outcome = std::move(outcome);
    return sight;
  }
  Ledger::Series of(const Ledger::Key& key) const {
    const auto found = ledger.series().find(key);
    return found == ledger.series().end() ? Ledger::Series() : found->second;
  }
  std::uint64_t count(const Ledger::Key& key) const { return of(key).took.count(); }
  static Ledger::Key key(std::string tool, std::string method = "tools/call") {
    return {.hop = Hop::server, .server = "git", .method = std::move(method), .tool = std::move(tool)};
  }

  Ledger ledger;
};

TEST_F(LedgerTest, CountsByHopServerMethodAndTool) {
  pass(called("log"));
  pass(called("log"));
  pass(called("diff"));
  auto front = called("log");
  front.hop = Hop::front;
  pass(front);
  EXPECT_EQ(count(key("log")), 2U);
  EXPECT_EQ(count(key("diff")), 1U);
  EXPECT_EQ(ledger.series().size(), 3U);
}

TEST_F(LedgerTest, ErrorsAreOfThePlaneOnWhichTheyHappened) {
  pass(called("log", {.tool_failed = true}));
  pass(called("log", {.code = -32602}));
  pass(called("log", {.transport = "closed", .code = -32603}));
  pass(called("log", given_up()));
  pass(called("log"));
  const auto errors = of(key("log")).errors;
  EXPECT_EQ(errors.size(), 4U);
  for (const auto& [plane, count] : errors) EXPECT_EQ(count, 1U) << name(plane);
  EXPECT_EQ(count(key("log")), 5U);
}

TEST_F(LedgerTest, OnlyToolsHaveSeriesOfTheirOwn) {
  auto read = called("file:///a");
  read.method = "resources/read";
  pass(read);
  EXPECT_EQ(count(key("", "resources/read")), 1U);
}

TEST_F(LedgerTest, Attack_NamesThatCallersMakeUpAddNoSeries) {
  for (int i = 0; i < 5'000; ++i) {
    auto made_up = called("tool-" + std::to_string(i), {.code = -32602});
    made_up.listed = false;
    pass(made_up);
    made_up.method = "method/" + std::to_string(i);
    pass(made_up);
  }
  EXPECT_EQ(ledger.series().size(), 2U);
  EXPECT_EQ(count(key("other")), 5'000U);
  EXPECT_EQ(count(key("", "other")), 5'000U);
}

TEST_F(LedgerTest, Attack_AServerWithEndlessToolsFillsNoMemory) {
  for (std::size_t i = 0; i < Ledger::most_series * 2; ++i) pass(called("tool-" + std::to_string(i)));
  EXPECT_LE(ledger.series().size(), Ledger::most_series + 1);
  EXPECT_EQ(count(key("other", "other")), Ledger::most_series);
  EXPECT_EQ(count(key("tool-0")), 1U);
}

TEST_F(LedgerTest, KnowsWhatIsUnderWay) {
  session::Call call{.method = "tools/call"};
  auto sight = called("log");
  ledger.begins(call, sight);
  EXPECT_EQ(ledger.under_way(Hop::server), 1U);
  EXPECT_EQ(ledger.under_way(Hop::front), 0U);
  ledger.ended(call, sight);
  EXPECT_EQ(ledger.under_way(Hop::server), 0U);
}

TEST_F(LedgerTest, WhoListensMakesNoCall) {
  session::Call call{.method = "subscriptions/listen"};
  Sight sight{.method = call.method};
  ledger.begins(call, sight);
  EXPECT_EQ(ledger.listening(), 1U);
  EXPECT_EQ(ledger.under_way(Hop::front), 0U);
  ledger.ended(call, sight);
  EXPECT_EQ(ledger.listening(), 0U);
  EXPECT_TRUE(ledger.series().empty());
}

TEST_F(LedgerTest, FiguresAreOfTheLastCalls) {
  for (std::size_t i = 0; i < Ledger::recent; ++i) pass(called("log"), std::chrono::hours{1});
  for (std::size_t i = 1; i <= Ledger::recent; ++i) pass(called("log"), milliseconds{i});
  const auto figures = ledger.figures("git");
  EXPECT_EQ(figures.calls, 2 * Ledger::recent);
  EXPECT_NEAR(figures.p50_ms, 500, 1);
  EXPECT_NEAR(figures.p99_ms, 990, 1);
  EXPECT_EQ(figures.errors, 0U);
}

TEST_F(LedgerTest, FiguresNameTheLastError) {
  pass(called("log", {.code = -32602, .message = "no such branch"}));
  EXPECT_EQ(ledger.figures("git").last_error, "no such branch");
  pass(called("log", {.tool_failed = true}));
  EXPECT_EQ(ledger.figures("git").last_error, "tools/call 'log': the tool has failed");
  pass(called("log", given_up()));
  pass(called("log"));
  EXPECT_EQ(ledger.figures("git").errors, 2U) << "who gives up says nothing of the server";
  EXPECT_EQ(ledger.figures("nobody").calls, 0U);
}

TEST(Histogram, WhatTakesAsLongAsABoundIsWithinIt) {
  Histogram histogram;
  histogram.add(0.0005);
  histogram.add(0.0006);
  histogram.add(1'000);
  EXPECT_EQ(histogram.counts.front(), 1U);
  EXPECT_EQ(histogram.counts[1], 1U);
  EXPECT_EQ(histogram.counts.back(), 1U);
  EXPECT_EQ(histogram.count(), 3U);
  EXPECT_DOUBLE_EQ(histogram.sum, 1'000.0011);
}

}  // namespace
}  // namespace fairlead::gateway::test::observe_ledger_test
