#include "gateway/observe/server_timing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  ServerTiming timing;
  TimePoint now{};

  Sight begin(Call& call, Hop hop, std::string server = "") {
    Sight sight{.hop = hop, .server = std::move(server), .method = "tools/call"};
    sight.begun = now;
    timing.begins(call, sight);
    return sight;
  }
  void end(Call& call, Sight sight) {
    sight.ended = now;
    timing.ended(call, sight);
  }
  /// A call of which the server's answer brings that header.
  void ask(Call& call, const std::string& server, Duration time, const std::string& header = "") {
    const auto sight = begin(call, Hop::server, server);
    now += time;
    if (!header.empty() && call.on_luggage) call.on_luggage({{"server-timing", header}});
    end(call, sight);
  }
};

TEST_F(ServerTimingTest, AnAnswerSaysHowLongEachHopTook) {
  Call call;
  const auto front = begin(call, Hop::front);
  now += 500us;
  ask(call, "git", 11'800us);
  end(call, front);
  ASSERT_TRUE(call.context.returns);
  EXPECT_THAT(*call.context.returns,
              ElementsAre(Pair("Server-Timing", R"(front;dur=12.300, git;dur=11.800;desc="server")")));
}

TEST_F(ServerTimingTest, WhatAServerSaysOfItsOwnHopsStandsBehindItUnderItsName) {
  Call call;
  const auto front = begin(call, Hop::front);
  ask(call, "far", 9ms, R"(front;dur=8, git;dur=7.5;desc="server", git.db;dur=1)");
  end(call, front);
  EXPECT_THAT(*call.context.returns,
              ElementsAre(Pair("Server-Timing", R"(front;dur=9.000, far;dur=9.000;desc="server", far.front;dur=8.000, )"
                                                R"(far.git;dur=7.500;desc="server", far.git.db;dur=1.000)")));
}

TEST_F(ServerTimingTest, CallsOnSomebodysBehalfCountForHim) {
  Call call;
  const auto front = begin(call, Hop::front);
  Call one{.method = "tools/list", .context = call.context};
  ask(one, "a", 1ms);
  Call other{.method = "tools/list", .context = call.context};
  ask(other, "b", 2ms);
  end(call, front);
  EXPECT_THAT(
      *call.context.returns,
      ElementsAre(Pair("Server-Timing", R"(front;dur=3.000, a;dur=1.000;desc="server", b;dur=2.000;desc="server")")));
}

TEST_F(ServerTimingTest, CallsAtATimeAreKeptApart) {
  Call one;
  Call other;
  const auto first = begin(one, Hop::front);
  const auto second = begin(other, Hop::front);
  ask(one, "a", 1ms);
  end(other, second);
  end(one, first);
  EXPECT_THAT(*other.context.returns, ElementsAre(Pair("Server-Timing", "front;dur=1.000")));
  EXPECT_THAT(*one.context.returns,
              ElementsAre(Pair("Server-Timing", R"(front;dur=1.000, a;dur=1.000;desc="server")")));
}

TEST_F(ServerTimingTest, WhatElseAnAnswerTakesAlongStays) {
  Call call;
  call.context.returns = std::make_shared<const jsonrpc::Luggage>(jsonrpc::Luggage{{"X-Other", "1"}});
  const auto front = begin(call, Hop::front);
  end(call, front);
  EXPECT_THAT(*call.context.returns, ElementsAre(Pair("X-Other", "1"), Pair("Server-Timing", "front;dur=0.000")));
}

TEST_F(ServerTimingTest, WhatEndsAfterItsClientsCallIsOfNoInterest) {
  Call call;
  const auto front = begin(call, Hop::front);
  Call parked = call;
  end(call, front);
  ask(parked, "a", 1ms, "x;dur=1");
  EXPECT_THAT(*call.context.returns, SizeIs(1));
}

TEST_F(ServerTimingTest, NamesThatNoHeaderCanHaveAreSpelledOtherwise) {
  Call call;
  const auto front = begin(call, Hop::front);
  ask(call, "my, server;dur=1\r\nX: y", 1ms, "a");
  end(call, front);
  EXPECT_THAT(*call.context.returns,
              ElementsAre(Pair("Server-Timing",
                               "front;dur=1.000, my__server_dur_1__X__y;dur=1.000;desc=\"server\", "
                               "my__server_dur_1__X__y.a")));
}

TEST(ServerTimingField, IsReadAsFarAsItCanBe) {
  EXPECT_THAT(read_server_timing(R"(a, b;dur=2.5 , c;desc="x, \"y\"; z" ; dur="3",)"),
              ElementsAre(Timing{"a"}, Timing{"b", 2.5}, Timing{"c", 3.0, R"(x, "y"; z)"}));
  EXPECT_THAT(read_server_timing("a;DUR=1;dur=2;unknown=3;desc=t"), ElementsAre(Timing{"a", 1.0, "t"}));
  EXPECT_THAT(read_server_timing("a;dur=-1, b;dur=nan, c;dur=1x, d;dur, e;dur="),
              ElementsAre(Timing{"a"}, Timing{"b"}, Timing{"c"}, Timing{"d"}, Timing{"e"}));
  for (const auto* nothing : {"", ",,,", ";", ";;=", "\"", "=1", "   "}) {
    EXPECT_THAT(read_server_timing(nothing), IsEmpty()) << nothing;
  }
}

TEST(ServerTimingField, DoesNotGrowWithoutEnd) {
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "a;dur=1,";
  EXPECT_THAT(read_server_timing(many), SizeIs(64));
  EXPECT_LE(write_server_timing(std::vector<Timing>(1000, Timing{std::string(1000, 'n'), 1.0, "d"})).size(), 4096U);
}

TEST(ServerTimingField, HasNothingInItThatEndsAHeader) {
  const auto text = write_server_timing({{"a\r\nb", 1.0, "c\r\nd\"e\\"}});
  EXPECT_EQ(text, R"(a__b;dur=1.000;desc="c??d\"e\\")");
}

}  // namespace
}  // namespace fairlead::gateway::server_timing_test
