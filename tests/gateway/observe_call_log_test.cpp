#include <fairlead/base/log_sinks.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/observe/call_log.hpp"

namespace fairlead::gateway::test::observe_call_log_test {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;

struct CallLogTest : testing::Test {
  CallLogTest() { call.context.id = jsonrpc::Id(std::int64_t{7}); }

  Sight sight(Hop hop, milliseconds begun, milliseconds ended = {}) const {
    Sight seen{.hop = hop, .server = "git", .method = call.method, .about = "log", .caller = "ann"};
    seen.begun = TimePoint{} + begun;
    seen.ended = TimePoint{} + ended;
    return seen;
  }
  void begins(Hop hop, milliseconds at, CallLog& in) {
    auto seen = sight(hop, at);
    in.begins(call, seen);
  }
  std::string last_line() const { return sink.lines().empty() ? "" : sink.lines().back().message; }

  CapturingSink sink;
  CallLog lines{sink, false};
  session::Call call{.method = "tools/call"};
};

TEST_F(CallLogTest, OneLineForACallWithTheTimesOfEachHop) {
  begins(Hop::front, milliseconds{0}, lines);
  begins(Hop::server, milliseconds{5}, lines);
  lines.ended(call, sight(Hop::server, milliseconds{5}, milliseconds{25}));
  EXPECT_TRUE(sink.lines().empty());
  lines.ended(call, sight(Hop::front, milliseconds{0}, milliseconds{31}));
  ASSERT_EQ(sink.lines().size(), 1U);
  EXPECT_EQ(last_line(),
            "caller=ann conversation=0 method=tools/call about=log server=git transport=ok error=0 isError=false "
            "ms=31.000 server_ms=20.000 chain_ms=11.000 bytes=0");
  EXPECT_EQ(sink.lines().back().component, "call");
}

TEST_F(CallLogTest, ServersThatAreAskedAtTheSameTimeTakeAsLongAsTheSlowest) {
  begins(Hop::front, milliseconds{0}, lines);
  begins(Hop::server, milliseconds{0}, lines);
  begins(Hop::server, milliseconds{10}, lines);
  lines.ended(call, sight(Hop::server, milliseconds{10}, milliseconds{30}));
  lines.ended(call, sight(Hop::server, milliseconds{0}, milliseconds{40}));
  begins(Hop::server, milliseconds{50}, lines);
  lines.ended(call, sight(Hop::server, milliseconds{50}, milliseconds{60}));
  lines.ended(call, sight(Hop::front, milliseconds{0}, milliseconds{60}));
  EXPECT_THAT(last_line(), HasSubstr("ms=60.000 server_ms=50.000 chain_ms=10.000"));
}

TEST_F(CallLogTest, WhatTheGatewayAsksForItselfIsNoLine) {
  begins(Hop::server, milliseconds{0}, lines);
  lines.ended(call, sight(Hop::server, milliseconds{0}, milliseconds{5}));
  EXPECT_TRUE(sink.lines().empty());
}

TEST_F(CallLogTest, TheSameAsJson) {
  CallLog json(sink, true);
  begins(Hop::front, milliseconds{0}, json);
  auto failed = sight(Hop::front, milliseconds{0}, milliseconds{1});
  failed.outcome = {.transport = "closed", .code = -32603, .message = "it \"went\""};
  failed.trace = "00-1-2-01";
  json.ended(call, failed);
  EXPECT_EQ(last_line(),
            R"({"caller":"ann","conversation":0,"method":"tools/call","about":"log","server":"git",)"
            R"("transport":"closed","error":-32603,"isError":false,"ms":1.000,"server_ms":0.000,"chain_ms":1.000,)"
            R"("bytes":0,"message":"it \"went\"","trace":"00-1-2-01"})");
}

TEST_F(CallLogTest, WhatOutlivesItsCallerIsInNoLine) {
  begins(Hop::front, milliseconds{0}, lines);
  begins(Hop::server, milliseconds{0}, lines);
  lines.ended(call, sight(Hop::front, milliseconds{0}, milliseconds{5}));
  begins(Hop::front, milliseconds{6}, lines);
  lines.ended(call, sight(Hop::server, milliseconds{0}, milliseconds{7}));
  lines.ended(call, sight(Hop::front, milliseconds{6}, milliseconds{8}));
  EXPECT_THAT(last_line(), AllOf(HasSubstr(" ms=2.000"), HasSubstr("server_ms=0.000")));
}

}  // namespace
}  // namespace fairlead::gateway::test::observe_call_log_test
