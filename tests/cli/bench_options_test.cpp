#include "cli/bench_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/bench_report.hpp"

namespace fairlead::cli::bench_options_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal_of(const BenchOptions& words) {
  const auto choice = resolve_bench_settings(words);
  return choice ? "" : choice.error().message;
}

TEST(BenchOptions, HaveSensibleDefaults) {
  const auto choice = resolve_bench_settings({});
  ASSERT_TRUE(choice);
  EXPECT_THAT(choice->connections, ElementsAre(1U, 16U, 64U));
  EXPECT_EQ(choice->plan.style.call.tool, "echo");
  EXPECT_EQ(choice->plan.style.revision, &protocol::newest_handshake());
}

TEST(BenchOptions, AreParsed) {
  BenchOptions words;
  words.connections = "2,300";
  words.seconds = "0.5";
  words.stateless = true;
  words.progress = "10";
  const auto choice = resolve_bench_settings(words);
  ASSERT_TRUE(choice);
  EXPECT_THAT(choice->connections, ElementsAre(2U, 300U));
  EXPECT_EQ(choice->plan.limits.seconds, 0.5);
  EXPECT_EQ(choice->plan.style.revision, &protocol::newest());
  EXPECT_EQ(choice->plan.style.progress, 10U);
  EXPECT_TRUE(choice->plan.style.call.progress);
}

TEST(BenchOptions, CallsOptionReplacesTheDuration) {
  BenchOptions words;
  words.calls = "250";
  const auto choice = resolve_bench_settings(words);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->plan.limits.calls, 250U);
  EXPECT_GE(choice->plan.limits.seconds, 3600);
}

TEST(BenchOptions, ErrorNamesTheOption) {
  BenchOptions words;
  words.connections = "1,,2";
  EXPECT_THAT(refusal_of(words), HasSubstr("--connections ''"));
  words.connections = "1000000";
  EXPECT_THAT(refusal_of(words), HasSubstr("from 1 to 20000"));
  words.connections = "1";
  words.seconds = "2s";
  EXPECT_THAT(refusal_of(words), HasSubstr("--seconds '2s'"));
}

TEST(BenchReport, ComparesTwoServers) {
  const load::LoadReport ours{.connections = 16, .calls_per_second = 50, .p50_us = 30};
  const load::LoadReport theirs{.connections = 16, .calls_per_second = 100, .p50_us = 20};
  const auto comparison = compare_runs(ours, theirs);
  EXPECT_EQ(comparison.added_p50_us, 10);
  EXPECT_EQ(comparison.calls_ratio, 0.5);
}

TEST(BenchReport, WarnsWhenTheLoadGeneratorIsTheBottleneck) {
  load::LoadReport run{.connections = 1, .driver_busy = 0.5};
  EXPECT_THAT(bench_table({run}), testing::Not(HasSubstr("limited by")));
  run.driver_busy = 0.99;
  EXPECT_THAT(bench_table({run}), HasSubstr("limited by"));
}

}  // namespace
}  // namespace fairlead::cli::bench_options_test
