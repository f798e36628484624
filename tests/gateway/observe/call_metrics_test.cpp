#include "gateway/observe/call_metrics.hpp"

#include <gtest/gtest.h>

namespace fairlead::gateway::test::call_metrics_test {
namespace {

using std::chrono::milliseconds;

struct CallMetricsTest : testing::Test {
  void pass(CallRecord record, Duration elapsed = milliseconds{3}) {
    session::Call call{.method = record.method};
    call_metrics.on_start(call, record);
    record.end = record.start + elapsed;
    call_metrics.on_end(call, record);
  }
  static CallRecord called(std::string tool, Outcome outcome = {}) {
    CallRecord record{
        .hop = Hop::server, .server = "git", .method = "tools/call", .target = std::move(tool), .listed = true};
    record.outcome = std::move(outcome);
    return record;
  }
  CallMetrics::Series of(const CallMetrics::Key& key) const {
    const auto found = call_metrics.series().find(key);
    return found == call_metrics.series().end() ? CallMetrics::Series() : found->second;
  }
  std::uint64_t count(const CallMetrics::Key& key) const { return of(key).durations.count(); }
  static CallMetrics::Key key(std::string tool, std::string method = "tools/call") {
    return {.hop = Hop::server, .server = "git", .method = std::move(method), .tool = std::move(tool)};
  }

  CallMetrics call_metrics;
};

TEST_F(CallMetricsTest, CountsByHopServerMethodAndTool) {
  pass(called("log"));
  pass(called("log"));
  pass(called("diff"));
  auto front = called("log");
  front.hop = Hop::front;
  pass(front);
  EXPECT_EQ(count(key("log")), 2U);
  EXPECT_EQ(count(key("diff")), 1U);
  EXPECT_EQ(call_metrics.series().size(), 3U);
}

TEST_F(CallMetricsTest, CountsErrorsByPlane) {
  pass(called("log", {.tool_failed = true}));
  pass(called("log", {.code = -32602}));
  pass(called("log", {.transport = "closed", .code = -32603}));
  pass(called("log", cancelled_outcome()));
  pass(called("log"));
  const auto errors = of(key("log")).errors;
  EXPECT_EQ(errors.size(), 4U);
  for (const auto& [plane, count] : errors) EXPECT_EQ(count, 1U) << name(plane);
  EXPECT_EQ(count(key("log")), 5U);
}

TEST_F(CallMetricsTest, OnlyToolsHaveSeriesOfTheirOwn) {
  auto read = called("file:///a");
  read.method = "resources/read";
  pass(read);
  EXPECT_EQ(count(key("", "resources/read")), 1U);
}

TEST_F(CallMetricsTest, Attack_InventedNamesAddNoSeries) {
  for (int i = 0; i < 5'000; ++i) {
    auto made_up = called("tool-" + std::to_string(i), {.code = -32602});
    made_up.listed = false;
    pass(made_up);
    made_up.method = "method/" + std::to_string(i);
    pass(made_up);
  }
  EXPECT_EQ(call_metrics.series().size(), 2U);
  EXPECT_EQ(count(key("other")), 5'000U);
  EXPECT_EQ(count(key("", "other")), 5'000U);
}

TEST_F(CallMetricsTest, Attack_EndlessToolsDoNotFillTheMemory) {
  for (std::size_t i = 0; i < CallMetrics::max_series * 2; ++i) pass(called("tool-" + std::to_string(i)));
  EXPECT_LE(call_metrics.series().size(), CallMetrics::max_series + 1);
  EXPECT_EQ(count(key("other", "other")), CallMetrics::max_series);
  EXPECT_EQ(count(key("tool-0")), 1U);
}

TEST_F(CallMetricsTest, CountsPendingCalls) {
  session::Call call{.method = "tools/call"};
  auto record = called("log");
  call_metrics.on_start(call, record);
  EXPECT_EQ(call_metrics.pending(Hop::server), 1U);
  EXPECT_EQ(call_metrics.pending(Hop::front), 0U);
  call_metrics.on_end(call, record);
  EXPECT_EQ(call_metrics.pending(Hop::server), 0U);
}

TEST_F(CallMetricsTest, SubscriptionsAreNotCalls) {
  session::Call call{.method = "subscriptions/listen"};
  CallRecord record{.method = call.method};
  call_metrics.on_start(call, record);
  EXPECT_EQ(call_metrics.listening(), 1U);
  EXPECT_EQ(call_metrics.pending(Hop::front), 0U);
  call_metrics.on_end(call, record);
  EXPECT_EQ(call_metrics.listening(), 0U);
  EXPECT_TRUE(call_metrics.series().empty());
}

TEST_F(CallMetricsTest, StatsCoverTheLastCalls) {
  for (std::size_t i = 0; i < CallMetrics::stats_window; ++i) pass(called("log"), std::chrono::hours{1});
  for (std::size_t i = 1; i <= CallMetrics::stats_window; ++i) pass(called("log"), milliseconds{i});
  const auto server_stats = call_metrics.server_stats("git");
  EXPECT_EQ(server_stats.calls, 2 * CallMetrics::stats_window);
  EXPECT_NEAR(server_stats.p50_ms, 500, 1);
  EXPECT_NEAR(server_stats.p99_ms, 990, 1);
  EXPECT_EQ(server_stats.errors, 0U);
}

TEST_F(CallMetricsTest, StatsNameTheLastError) {
  pass(called("log", {.code = -32602, .message = "no such branch"}));
  EXPECT_EQ(call_metrics.server_stats("git").last_error, "no such branch");
  pass(called("log", {.tool_failed = true}));
  EXPECT_EQ(call_metrics.server_stats("git").last_error, "tools/call 'log': the tool has failed");
  pass(called("log", cancelled_outcome()));
  pass(called("log"));
  EXPECT_EQ(call_metrics.server_stats("git").errors, 2U) << "who gives up says nothing of the server";
  EXPECT_EQ(call_metrics.server_stats("unknown").calls, 0U);
}

TEST(DurationHistogram, BoundsAreInclusive) {
  DurationHistogram histogram;
  histogram.record(0.0005);
  histogram.record(0.0006);
  histogram.record(1'000);
  EXPECT_EQ(histogram.counts().front(), 1U);
  EXPECT_EQ(histogram.counts()[1], 1U);
  EXPECT_EQ(histogram.counts().back(), 1U);
  EXPECT_EQ(histogram.count(), 3U);
  EXPECT_DOUBLE_EQ(histogram.sum(), 1'000.0011);
}

}  // namespace
}  // namespace fairlead::gateway::test::call_metrics_test
