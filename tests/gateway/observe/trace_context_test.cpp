#include "gateway/observe/trace_context.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace fairlead::gateway::trace_context_test {
namespace {

const std::string trace = "12345678901234567890123456789012";
const std::string span = "1234567890123456";

struct Case {
  std::string about;
  std::string text;
  std::string written;  ///< As written again; empty for invalid input.
};

// From the W3C specification and its test suite.
const std::vector<Case> cases = {
    {"as it should be", "00-" + trace + "-" + span + "-01", "00-" + trace + "-" + span + "-01"},
    {"not sampled", "00-" + trace + "-" + span + "-00", "00-" + trace + "-" + span + "-00"},
    {"random id", "00-" + trace + "-" + span + "-03", "00-" + trace + "-" + span + "-03"},
    {"unknown flags", "00-" + trace + "-" + span + "-ff", "00-" + trace + "-" + span + "-03"},
    {"unknown flags, not sampled", "00-" + trace + "-" + span + "-f8", "00-" + trace + "-" + span + "-00"},
    {"empty", "", ""},
    {"nothing but dashes", "---", ""},
    {"version 00 longer", "00-" + trace + "-" + span + "-01-what-the-future-will-be-like", ""},
    {"version 00 with one more byte", "00-" + trace + "-" + span + "-01.", ""},
    {"version 00 with one more dash", "00-" + trace + "-" + span + "-01-", ""},
    {"version cc", "cc-" + trace + "-" + span + "-01", "00-" + trace + "-" + span + "-01"},
    {"version cc longer", "cc-" + trace + "-" + span + "-01-what-the-future-will-be-like",
     "00-" + trace + "-" + span + "-01"},
    {"version cc longer without a dash", "cc-" + trace + "-" + span + "-01.what-the-future", ""},
    {"version cc shorter", "cc-" + trace + "-" + span + "-0", ""},
    {"version ff", "ff-" + trace + "-" + span + "-01", ""},
    {"version in other letters", ".0-" + trace + "-" + span + "-01", ""},
    {"version in capitals", "CC-" + trace + "-" + span + "-01", ""},
    {"version too long", "000-" + trace + "-" + span + "-01", ""},
    {"version too short", "0-" + trace + "-" + span + "-01", ""},
    {"trace all zero", "00-" + std::string(32, '0') + "-" + span + "-01", ""},
    {"trace in capitals", "00-1234567890123456789012345678901F-" + span + "-01", ""},
    {"trace in other letters", "00-.2345678901234567890123456789012-" + span + "-01", ""},
    {"trace too long", "00-" + trace + "3-" + span + "-01", ""},
    {"trace too short", "00-" + trace.substr(1) + "-" + span + "-01", ""},
    {"span all zero", "00-" + trace + "-" + std::string(16, '0') + "-01", ""},
    {"span in other letters", "00-" + trace + "-.234567890123456-01", ""},
    {"span in capitals", "00-" + trace + "-123456789012345F-01", ""},
    {"span too long", "00-" + trace + "-" + span + "7-01", ""},
    {"span too short", "00-" + trace + "-" + span.substr(1) + "-01", ""},
    {"flags in other letters", "00-" + trace + "-" + span + "-.0", ""},
    {"flags in capitals", "00-" + trace + "-" + span + "-0F", ""},
    {"flags too long", "00-" + trace + "-" + span + "-001", ""},
    {"flags too short", "00-" + trace + "-" + span + "-1", ""},
    {"other separators", "00_" + trace + "_" + span + "_01", ""},
    {"space before", " 00-" + trace + "-" + span + "-01", ""},
    {"two in one", "00-" + trace + "-" + span + "-01,00-" + trace + "-" + span + "-01", ""},
    {"a zero byte", "00-" + trace + "-" + span + "-0" + std::string(1, '\0'), ""},
};

TEST(TraceParent, IsParsedAsSpecified) {
  for (const auto& [about, text, written] : cases) {
    const auto context = read_traceparent(text);
    EXPECT_EQ(context ? write_traceparent(*context) : "", written) << about;
  }
}

TEST(TraceParent, ReportsItsFields) {
  const auto context = read_traceparent("00-" + trace + "-" + span + "-01");
  ASSERT_TRUE(context);
  EXPECT_EQ(context->trace_id(), trace);
  EXPECT_EQ(context->span_id(), span);
  EXPECT_TRUE(context->sampled());
}

TEST(TraceParent, ParsesOrRefusesAnyBytes) {
  std::mt19937 random(7);
  const std::string whole = "00-" + trace + "-" + span + "-01";
  for (int i = 0; i < 20'000; ++i) {
    auto text = whole;
    for (int change = 0; change < 2; ++change) text[random() % text.size()] = static_cast<char>(random() % 256);
    text.resize(random() % 3 == 0 ? random() % 60 : text.size(), '-');
    const auto context = read_traceparent(text);
    if (!context) continue;
    const auto again = read_traceparent(write_traceparent(*context));
    EXPECT_EQ(again, context) << text;
  }
}

TEST(TraceState, IsValidated) {
  const auto many = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i ? ",k" : "k") + std::to_string(i) + "=v";
    return text;
  };
  for (const auto& text :
       {std::string("foo=1"), std::string("foo=1,bar=2"), std::string("foo=1 \t , \tbar=2, \t baz=3"), std::string(""),
        std::string("foo=1,"), std::string("foo@=1,bar=2"), std::string("fw529a3039@dt=FfAxJ.D"),
        std::string("a-b_c*d/e=2,0=1"), "foo=" + std::string(256, 'v'), std::string(256, 'k') + "=1", many(32)}) {
    EXPECT_TRUE(is_tracestate(text)) << text;
  }
  for (const auto& text :
       {std::string("foo"), std::string("foo="), std::string("=1"), std::string("foo =1"), std::string("FOO=1"),
        std::string("foo.bar=1"), std::string("foo=bar=baz"), std::string("foo=\x7f"), std::string("foo=\n"),
        "foo=" + std::string(257, 'v'), std::string(257, 'k') + "=1", many(33), "k=" + std::string(5000, ' ') + "v"}) {
    EXPECT_FALSE(is_tracestate(text)) << text;
  }
}

TEST(NewTrace, HasUniqueIds) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const auto begun = new_trace(1);
    const auto next = child_of(begun);
    EXPECT_TRUE(read_traceparent(write_traceparent(begun)));
    EXPECT_EQ(next.trace, begun.trace);
    EXPECT_TRUE(begun.sampled() && next.sampled());
    seen.emplace(begun.trace_id());
    seen.emplace(begun.span_id());
    seen.emplace(next.span_id());
  }
  EXPECT_EQ(seen.size(), 3000U);
}

TEST(NewTrace, IsSampledByTheRatio) {
  int wanted = 0;
  for (int i = 0; i < 4000; ++i) {
    EXPECT_FALSE(new_trace(0).sampled());
    wanted += new_trace(0.25).sampled() ? 1 : 0;
  }
  // Seven standard deviations.
  EXPECT_GT(wanted, 800);
  EXPECT_LT(wanted, 1200);
}

}  // namespace
}  // namespace fairlead::gateway::trace_context_test
