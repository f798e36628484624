#include "gateway/observe/access_log.hpp"

#include <fairlead/base/log_sinks.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::gateway::test::access_log_test {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;

struct AccessLogTest : testing::Test {
  AccessLogTest() { call.context.id = jsonrpc::Id(std::int64_t{7}); }

  CallRecord record(Hop hop, milliseconds begun, milliseconds ended = {}) const {
    CallRecord seen{.hop = hop, .server = "git", .method = call.method, .target = "log", .caller = "ann"};
    seen.start = TimePoint{} + begun;
    seen.end = TimePoint{} + ended;
    return seen;
  }
  void start_call(Hop hop, milliseconds at, AccessLog& in) {
    auto seen = record(hop, at);
    in.on_start(call, seen);
  }
  std::string last_line() const { return sink.lines().empty() ? "" : sink.lines().back().message; }

  CapturingSink sink;
  AccessLog lines{sink, false};
  session::Call call{.method = "tools/call"};
};

TEST_F(AccessLogTest, LogsOneLinePerCallWithTheTimesOfEachHop) {
  start_call(Hop::front, milliseconds{0}, lines);
  start_call(Hop::server, milliseconds{5}, lines);
  lines.on_end(call, record(Hop::server, milliseconds{5}, milliseconds{25}));
  EXPECT_TRUE(sink.lines().empty());
  lines.on_end(call, record(Hop::front, milliseconds{0}, milliseconds{31}));
  ASSERT_EQ(sink.lines().size(), 1U);
  EXPECT_EQ(last_line(),
            "caller=ann session=0 method=tools/call target=log server=git transport=ok error=0 isError=false "
            "ms=31.000 server_ms=20.000 chain_ms=11.000 bytes=0");
  EXPECT_EQ(sink.lines().back().component, "call");
}

TEST_F(AccessLogTest, ConcurrentServersCountOnce) {
  start_call(Hop::front, milliseconds{0}, lines);
  start_call(Hop::server, milliseconds{0}, lines);
  start_call(Hop::server, milliseconds{10}, lines);
  lines.on_end(call, record(Hop::server, milliseconds{10}, milliseconds{30}));
  lines.on_end(call, record(Hop::server, milliseconds{0}, milliseconds{40}));
  start_call(Hop::server, milliseconds{50}, lines);
  lines.on_end(call, record(Hop::server, milliseconds{50}, milliseconds{60}));
  lines.on_end(call, record(Hop::front, milliseconds{0}, milliseconds{60}));
  EXPECT_THAT(last_line(), HasSubstr("ms=60.000 server_ms=50.000 chain_ms=10.000"));
}

TEST_F(AccessLogTest, DoesNotLogCallsOfTheGatewayItself) {
  start_call(Hop::server, milliseconds{0}, lines);
  lines.on_end(call, record(Hop::server, milliseconds{0}, milliseconds{5}));
  EXPECT_TRUE(sink.lines().empty());
}

TEST_F(AccessLogTest, WritesJson) {
  AccessLog json(sink, true);
  start_call(Hop::front, milliseconds{0}, json);
  auto failed = record(Hop::front, milliseconds{0}, milliseconds{1});
  failed.outcome = {.transport = "closed", .code = -32603, .message = "it \"went\""};
  failed.trace = "00-1-2-01";
  json.on_end(call, failed);
  EXPECT_EQ(last_line(),
            R"({"caller":"ann","session":0,"method":"tools/call","target":"log","server":"git",)"
            R"("transport":"closed","error":-32603,"isError":false,"ms":1.000,"server_ms":0.000,"chain_ms":1.000,)"
            R"("bytes":0,"message":"it \"went\"","trace":"00-1-2-01"})");
}

TEST_F(AccessLogTest, IgnoresRequestsThatOutliveTheirCall) {
  start_call(Hop::front, milliseconds{0}, lines);
  start_call(Hop::server, milliseconds{0}, lines);
  lines.on_end(call, record(Hop::front, milliseconds{0}, milliseconds{5}));
  start_call(Hop::front, milliseconds{6}, lines);
  lines.on_end(call, record(Hop::server, milliseconds{0}, milliseconds{7}));
  lines.on_end(call, record(Hop::front, milliseconds{6}, milliseconds{8}));
  EXPECT_THAT(last_line(), AllOf(HasSubstr(" ms=2.000"), HasSubstr("server_ms=0.000")));
}

}  // namespace
}  // namespace fairlead::gateway::test::access_log_test
