#include "gateway/upstream/audience.hpp"

#include <fairlead/base/task_scope.hpp>

#include "manual_loop.hpp"

namespace fairlead::gateway::test {
namespace {

using session::Notice;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A client that reads only when it wants to.
struct HearingPeer final : session::Service {
  explicit HearingPeer(boost::asio::any_io_executor executor) : reads(std::move(executor)) {}
  Task<Result<session::Reply>> call(session::Call&) override { co_return session::Reply{}; }
  Task<void> notify(Notice& notice) override {
    while (stalled) co_await reads.wait();
    if (std::exchange(throws, false)) throw std::runtime_error("broken");
    heard.push_back(notice.method + std::string(notice.params.text()));
  }
  void read() {
    stalled = false;
    reads.ring();
  }

  std::vector<std::string> heard = {};
  bool stalled = false;
  bool throws = false;
  Bell reads;
};

struct AudienceTest : testing::Test {
  ~AudienceTest() override {
    places.clear();
    tasks.cancel();
    manual.run(tasks.join());
  }

  HearingPeer& enter(std::uint64_t key) {
    peers.push_back(std::make_unique<HearingPeer>(manual.loop().executor));
    places[key] =
        audience.admit({.key = key, .peer = *peers.back(), .executor = manual.loop().executor, .tasks = tasks});
    return *peers.back();
  }
  void say(const std::string& method, const std::string& params = "") {
    audience.tell(Notice{.method = method, .params = json::Payload::trusted(params)});
    manual.poll();
  }
  void update(const std::string& uri) { say("notifications/resources/updated", R"({"uri":")" + uri + "\"}"); }

  ManualLoop manual;
  TaskScope tasks{manual.loop().executor, manual.log(), "test"};
  std::vector<std::string> unwanted;
  Audience audience{[this](std::vector<std::string> uris) { unwanted = std::move(uris); }};
  std::vector<std::unique_ptr<HearingPeer>> peers;
  std::map<std::uint64_t, std::unique_ptr<session::Attendance>> places;
};

TEST_F(AudienceTest, EverybodyHearsThatAListHasChanged) {
  auto& one = enter(1);
  auto& two = enter(2);
  say("notifications/tools/list_changed");
  EXPECT_THAT(one.heard, SizeIs(1));
  EXPECT_THAT(two.heard, SizeIs(1));
}

TEST_F(AudienceTest, OfAResourceHearsWhoFollowsIt) {
  auto& one = enter(1);
  auto& two = enter(2);
  EXPECT_TRUE(audience.follow(1, "note://a")) << "the first";
  update("note://a");
  update("note://b");
  EXPECT_THAT(one.heard, ElementsAre(R"(notifications/resources/updated{"uri":"note://a"})"));
  EXPECT_THAT(two.heard, IsEmpty());
}

TEST_F(AudienceTest, TheServerIsToldByTheFirstAndTheLastWhoFollows) {
  enter(1);
  enter(2);
  EXPECT_TRUE(audience.follow(1, "note://a"));
  EXPECT_FALSE(audience.follow(2, "note://a"));
  EXPECT_FALSE(audience.unfollow(1, "note://a"));
  EXPECT_TRUE(audience.is_followed("note://a"));
  EXPECT_TRUE(audience.unfollow(2, "note://a"));
  EXPECT_FALSE(audience.unfollow(2, "note://a")) << "it does not follow it any more";
  EXPECT_FALSE(audience.follows());
}

TEST_F(AudienceTest, WhoGoesFollowsNothing) {
  enter(1);
  enter(2);
  audience.follow(1, "note://a");
  audience.follow(1, "note://b");
  audience.follow(2, "note://b");
  places.erase(1);
  EXPECT_THAT(unwanted, ElementsAre("note://a"));
  EXPECT_TRUE(audience.is_followed("note://b"));
}

TEST_F(AudienceTest, EqualNewsThatWaitAreOne) {
  auto& one = enter(1);
  one.stalled = true;
  for (int i = 0; i < 5; ++i) say("notifications/tools/list_changed");
  one.read();
  manual.poll();
  EXPECT_LE(one.heard.size(), 2U);
  EXPECT_GE(one.heard.size(), 1U);
}

TEST_F(AudienceTest, OfLogMessagesEachCounts) {
  auto& one = enter(1);
  one.stalled = true;
  for (int i = 0; i < 3; ++i) say("notifications/message", R"({"level":"info","data":"again"})");
  one.read();
  manual.poll();
  EXPECT_THAT(one.heard, SizeIs(3));
}

TEST_F(AudienceTest, Attack_AClientThatDoesNotReadCostsABoundedRoomAndNobodyElseWaits) {
  auto& sleeps = enter(1);
  auto& reads = enter(2);
  sleeps.stalled = true;
  for (int i = 0; i < 3000; ++i) say("notifications/message", R"({"level":"info","data":)" + std::to_string(i) + "}");
  EXPECT_THAT(reads.heard, SizeIs(3000));
  sleeps.read();
  manual.poll();
  EXPECT_LE(sleeps.heard.size(), 1025U);
}

TEST_F(AudienceTest, WhoThrowsOnceHearsTheNextAllTheSame) {
  auto& one = enter(1);
  one.throws = true;
  say("notifications/tools/list_changed");
  EXPECT_THAT(one.heard, IsEmpty());
  say("notifications/prompts/list_changed");
  EXPECT_THAT(one.heard, ElementsAre("notifications/prompts/list_changed"));
}

TEST_F(AudienceTest, OneAloneCanBeTold) {
  auto& one = enter(1);
  auto& two = enter(2);
  EXPECT_TRUE(audience.tell(2, Notice{.method = "vendor/news"}));
  EXPECT_FALSE(audience.tell(3, Notice{.method = "vendor/news"}));
  manual.poll();
  EXPECT_THAT(one.heard, IsEmpty());
  EXPECT_THAT(two.heard, ElementsAre("vendor/news"));
}

TEST_F(AudienceTest, TheOnlyPeerIsTheOnlySessionOfItsCallerAndNeverTheGatewayItself) {
  enter(0);
  enter(first_internal_key + 1);
  EXPECT_THAT(audience.callers(), IsEmpty());
  auto& one = enter(1);
  EXPECT_EQ(audience.only_peer({.session = 1}), &one);
  auto& two = enter(2);
  EXPECT_EQ(audience.only_peer({.session = 1}), &one);
  EXPECT_EQ(audience.only_peer({.session = 2}), &two);
  EXPECT_EQ(audience.only_peer({.session = 3}), nullptr);
  EXPECT_EQ(audience.callers().size(), 2U);
  EXPECT_EQ(audience.newest_besides(2), 1U);
}

TEST_F(AudienceTest, Finding_S20_ASessionFollowsSoManyResourcesAndNoMore) {
  enter(1);
  enter(2);
  const FollowLimits limits;
  for (std::size_t i = 0; i < limits.of_a_session; ++i) {
    ASSERT_TRUE(audience.may_follow(1, std::to_string(i)));
    audience.follow(1, std::to_string(i));
  }
  EXPECT_TRUE(audience.may_follow(1, "0")) << "it is followed already";
  EXPECT_EQ(audience.may_follow(1, "more").error().message,
            "this session follows 1024 resources here, with URIs of 2986 bytes, and may follow 1024 with 1048576 "
            "bytes; unsubscribe from some first");
  EXPECT_TRUE(audience.may_follow(2, "more"));
  audience.unfollow(1, "0");
  EXPECT_TRUE(audience.may_follow(1, "more"));
  places.erase(1);
  enter(1);
  EXPECT_TRUE(audience.may_follow(1, "more")) << "what a session followed goes with it";
}

TEST_F(AudienceTest, Finding_S20_UrisAreBoundedInBytesForASessionAndForAllOfAPrincipal) {
  const FollowLimits limits;
  const std::string half(limits.bytes_of_a_session / 2, 'u');
  for (std::uint64_t session = 1; session <= 8; ++session) {
    enter(session);
    for (const auto* which : {"1", "2"}) {
      const auto uri = which + std::to_string(session) + half.substr(2);
      ASSERT_TRUE(audience.may_follow(session, uri));
      audience.follow(session, uri);
    }
    EXPECT_FALSE(audience.may_follow(session, "x"));
  }
  enter(9);
  EXPECT_NE(audience.may_follow(9, "x").error().message.find("all your sessions together follow 16 resources"),
            std::string::npos);
  places.erase(3);
  EXPECT_TRUE(audience.may_follow(9, "x"));
}

TEST_F(AudienceTest, EachHasItsOwnLogLevel) {
  enter(1);
  enter(2);
  audience.set_level(1, protocol::LoggingLevel::warning);
  audience.set_level(9, protocol::LoggingLevel::debug);
  EXPECT_EQ(audience.level(1), protocol::LoggingLevel::warning);
  EXPECT_EQ(audience.level(2), std::nullopt);
  EXPECT_EQ(audience.level(9), std::nullopt) << "who is not there wants nothing";
}

}  // namespace
}  // namespace fairlead::gateway::test
