#include "load/latency_histogram.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace fairlead::load::latency_histogram_test {
namespace {

TEST(LatencyHistogram, IsEmptyInitially) {
  const LatencyHistogram empty;
  EXPECT_EQ(empty.count(), 0U);
  EXPECT_EQ(empty.at(0.5), 0U);
  EXPECT_EQ(empty.max(), 0U);
}

TEST(LatencyHistogram, StoresSmallValuesExactly) {
  LatencyHistogram histogram;
  for (std::uint64_t value = 1; value <= 100; ++value) histogram.record(value);
  EXPECT_EQ(histogram.at(0.5), 50U);
  EXPECT_EQ(histogram.at(0.01), 1U);
  EXPECT_EQ(histogram.at(1.0), 100U);
}

TEST(LatencyHistogram, StoresValuesWithinTwoPercent) {
  for (std::uint64_t value = 1; value < (std::uint64_t{1} << 62); value = value * 3 + 1) {
    LatencyHistogram histogram;
    histogram.record(value);
    histogram.record(value * 2);
    const auto seen = static_cast<double>(histogram.at(0.5)), wanted = static_cast<double>(value);
    EXPECT_LE(std::abs(seen - wanted) / wanted, 0.02) << value;
  }
}

TEST(LatencyHistogram, PercentileDoesNotExceedTheMaximum) {
  LatencyHistogram histogram;
  histogram.record(1'000'003);
  EXPECT_EQ(histogram.at(0.99), 1'000'003U);
  EXPECT_EQ(histogram.max(), 1'000'003U);
}

TEST(LatencyHistogram, HighPercentileFindsOutliers) {
  LatencyHistogram histogram;
  for (int i = 0; i < 990; ++i) histogram.record(10);
  for (int i = 0; i < 10; ++i) histogram.record(1'000'000);
  EXPECT_EQ(histogram.at(0.9), 10U);
  EXPECT_EQ(histogram.at(0.99), 10U);
  EXPECT_GE(histogram.at(0.991), 980'000U);
}

TEST(LatencyHistogram, AddsAnotherHistogram) {
  LatencyHistogram some, more;
  some.record(5);
  more.record(7);
  more.record(9);
  some.add(more);
  EXPECT_EQ(some.count(), 3U);
  EXPECT_EQ(some.at(0.5), 7U);
  EXPECT_EQ(some.max(), 9U);
}

}  // namespace
}  // namespace fairlead::load::latency_histogram_test
