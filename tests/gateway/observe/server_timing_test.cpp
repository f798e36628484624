#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/observe/server_timing_observer.hpp"

namespace fairlead::gateway::server_timing_test {
namespace {

using namespace std::chrono_literals;
using session::Call;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

struct ServerTimingTest : testing::Test {
  ServerTimingObserver timing;
  TimePoint now{};

  CallRecord begin(Call& call, Hop hop, std::string server = "") {
    CallRecord record{.hop = hop, .server = std::move(server), .method = "tools/call"};
    record.start = now;
    timing.on_start(call, record);
    return record;
  }
  void end(Call& call, CallRecord record) {
    record.end = now;
    timing.on_end(call, record);
  }
  /// A call whose response from the server has this header.
  void send_request(Call& call, const std::string& server, Duration time, const std::string& header = "") {
    const auto record = begin(call, Hop::server, server);
    now += time;
    if (!header.empty() && call.on_response_headers) call.on_response_headers({{"server-timing", header}});
    end(call, record);
  }
};

TEST_F(ServerTimingTest, ReportsTheTimeOfEachHop) {
  Call call;
  const auto front = begin(call, Hop::front);
  now += 500us;
  send_request(call, "git", 11'800us);
  end(call, front);
  ASSERT_TRUE(call.context.response_headers);
  EXPECT_THAT(*call.context.response_headers,
              ElementsAre(Pair("Server-Timing", R"(front;dur=12.300, git;dur=11.800;desc="server")")));
}

TEST_F(ServerTimingTest, AddsTimingsOfServersUnderTheirName) {
  Call call;
  const auto front = begin(call, Hop::front);
  send_request(call, "far", 9ms, R"(front;dur=8, git;dur=7.5;desc="server", git.db;dur=1)");
  end(call, front);
  EXPECT_THAT(*call.context.response_headers,
              ElementsAre(Pair("Server-Timing", R"(front;dur=9.000, far;dur=9.000;desc="server", far.front;dur=8.000, )"
                                                R"(far.git;dur=7.500;desc="server", far.git.db;dur=1.000)")));
}

TEST_F(ServerTimingTest, CountsCallsMadeForAClientCall) {
  Call call;
  const auto front = begin(call, Hop::front);
  Call one{.method = "tools/list", .context = call.context};
  send_request(one, "a", 1ms);
  Call other{.method = "tools/list", .context = call.context};
  send_request(other, "b", 2ms);
  end(call, front);
  EXPECT_THAT(
      *call.context.response_headers,
      ElementsAre(Pair("Server-Timing", R"(front;dur=3.000, a;dur=1.000;desc="server", b;dur=2.000;desc="server")")));
}

TEST_F(ServerTimingTest, SeparatesConcurrentCalls) {
  Call one;
  Call other;
  const auto first = begin(one, Hop::front);
  const auto second = begin(other, Hop::front);
  send_request(one, "a", 1ms);
  end(other, second);
  end(one, first);
  EXPECT_THAT(*other.context.response_headers, ElementsAre(Pair("Server-Timing", "front;dur=1.000")));
  EXPECT_THAT(*one.context.response_headers,
              ElementsAre(Pair("Server-Timing", R"(front;dur=1.000, a;dur=1.000;desc="server")")));
}

TEST_F(ServerTimingTest, KeepsOtherResponseHeaders) {
  Call call;
  call.context.response_headers =
      std::make_shared<const jsonrpc::MessageHeaders>(jsonrpc::MessageHeaders{{"X-Other", "1"}});
  const auto front = begin(call, Hop::front);
  end(call, front);
  EXPECT_THAT(*call.context.response_headers,
              ElementsAre(Pair("X-Other", "1"), Pair("Server-Timing", "front;dur=0.000")));
}

TEST_F(ServerTimingTest, IgnoresCallsThatOutliveTheirClientCall) {
  Call call;
  const auto front = begin(call, Hop::front);
  Call suspended = call;
  end(call, front);
  send_request(suspended, "a", 1ms, "x;dur=1");
  EXPECT_THAT(*call.context.response_headers, SizeIs(1));
}

TEST_F(ServerTimingTest, ReplacesInvalidNameCharacters) {
  Call call;
  const auto front = begin(call, Hop::front);
  send_request(call, "my, server;dur=1\r\nX: y", 1ms, "a");
  end(call, front);
  EXPECT_THAT(*call.context.response_headers,
              ElementsAre(Pair("Server-Timing",
                               "front;dur=1.000, my__server_dur_1__X__y;dur=1.000;desc=\"server\", "
                               "my__server_dur_1__X__y.a")));
}

TEST(ServerTimingField, SkipsInvalidEntries) {
  EXPECT_THAT(
      read_server_timing(R"(a, b;dur=2.5 , c;desc="x, \"y\"; z" ; dur="3",)"),
      ElementsAre(ServerTimingEntry{"a"}, ServerTimingEntry{"b", 2.5}, ServerTimingEntry{"c", 3.0, R"(x, "y"; z)"}));
  EXPECT_THAT(read_server_timing("a;DUR=1;dur=2;unknown=3;desc=t"), ElementsAre(ServerTimingEntry{"a", 1.0, "t"}));
  EXPECT_THAT(read_server_timing("a;dur=-1, b;dur=nan, c;dur=1x, d;dur, e;dur="),
              ElementsAre(ServerTimingEntry{"a"}, ServerTimingEntry{"b"}, ServerTimingEntry{"c"},
                          ServerTimingEntry{"d"}, ServerTimingEntry{"e"}));
  for (const auto* nothing : {"", ",,,", ";", ";;=", "\"", "=1", "   "}) {
    EXPECT_THAT(read_server_timing(nothing), IsEmpty()) << nothing;
  }
}

TEST(ServerTimingField, IsLimitedInLength) {
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "a;dur=1,";
  EXPECT_THAT(read_server_timing(many), SizeIs(64));
  EXPECT_LE(
      write_server_timing(std::vector<ServerTimingEntry>(1000, ServerTimingEntry{std::string(1000, 'n'), 1.0, "d"}))
          .size(),
      4096U);
}

TEST(ServerTimingField, ContainsNoControlCharacters) {
  const auto text = write_server_timing({{"a\r\nb", 1.0, "c\r\nd\"e\\"}});
  EXPECT_EQ(text, R"(a__b;dur=1.000;desc="c??d\"e\\")");
}

}  // namespace
}  // namespace fairlead::gateway::server_timing_test
