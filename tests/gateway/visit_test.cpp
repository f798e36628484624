#include "gateway/upstream/visit.hpp"

#include "manual_loop.hpp"

namespace fairlead::gateway::test {
namespace {

using namespace std::chrono_literals;
using session::Call;
using session::Reply;
using testing::ElementsAre;
using testing::SizeIs;

/// Calls of several clients under way at one server.
struct VisitsTest : testing::Test {
  struct Under {
    Under(Visits& visits, Call made) : call(std::move(made)), visit(visits, call) {}
    Call call;
    Visit visit;
  };

  Under& add(std::uint64_t conversation, std::string principal = "", std::string method = "tools/call") {
    Call call{.method = std::move(method)};
    call.context.conversation = conversation;
    call.context.principal = std::move(principal);
    call.context.back = &back;
    under.push_back(std::make_unique<Under>(visits, std::move(call)));
    return *under.back();
  }
  static Task<Result<Reply>> asking(Visit* visit) { co_return co_await visit->ask("roots/list", json::Payload()); }
  auto ask(Under& of) { return manual.start(asking(&of.visit)); }
  void end(Under& of) {
    manual.run(of.visit.end());
    std::erase_if(under, [&](const auto& each) { return each.get() == &of; });
  }
  Visit* latest(std::string principal, std::uint64_t session = 0) {
    return visits.latest_of({.principal = std::move(principal), .session = session});
  }

  ManualLoop manual;
  FakeBack back{manual.loop().executor};
  Visits visits{manual.loop()};
  std::vector<std::unique_ptr<Under>> under;
};

TEST_F(VisitsTest, WithNothingUnderWayThereIsNobody) {
  EXPECT_EQ(latest("anna"), nullptr);
  EXPECT_EQ(visits.count(), 0U);
}

TEST_F(VisitsTest, ACallIsFoundByTheIdThatTheServerKnowsItBy) {
  auto& one = add(1, "anna");
  auto& two = add(2, "ben");
  one.visit.set_id(jsonrpc::Id(7));
  two.visit.set_id(jsonrpc::Id(8));
  EXPECT_EQ(visits.find(jsonrpc::Id(7)), &one.visit);
  EXPECT_EQ(visits.find(jsonrpc::Id(8)), &two.visit);
  EXPECT_EQ(visits.find(jsonrpc::Id(9)), nullptr) << "an id that is nobody's is nobody's";
}

TEST_F(VisitsTest, OfOneCallerTheLatestCallIsMeant) {
  add(1, "anna");
  auto& later = add(1, "anna");
  add(2, "ben");
  EXPECT_EQ(latest("anna"), &later.visit);
}

TEST_F(VisitsTest, OfTheSessionsOfOnePrincipalTheOneThatDoesNotWaitIsMeant) {
  auto& waits = add(1, "anna");
  auto& talks = add(2, "anna");
  EXPECT_EQ(latest("anna"), nullptr) << "both may talk";
  const auto asked = ask(waits);
  EXPECT_EQ(latest("anna"), &talks.visit);
  back.reply("{}");
  manual.poll();
  EXPECT_EQ(latest("anna"), nullptr) << "and it talks again";
}

TEST_F(VisitsTest, Attack_SessionsWithoutAPrincipalAreCallersOfTheirOwn) {
  auto& one = add(1);
  auto& two = add(2);
  EXPECT_EQ(latest("", 1), &one.visit);
  EXPECT_EQ(latest("", 2), &two.visit);
  EXPECT_THAT(visits.callers(), SizeIs(2));
}

TEST_F(VisitsTest, WhoOnlyListsIsMeantForWantOfOthers) {
  auto& lists = add(1, "anna", "tools/list");
  EXPECT_EQ(latest("anna"), &lists.visit);
  auto& calls = add(1, "anna");
  add(1, "anna", "tools/list");
  EXPECT_EQ(latest("anna"), &calls.visit);
  EXPECT_THAT(visits.callers(), SizeIs(1));
}

TEST_F(VisitsTest, AnotherClientIsHeldBackForAMomentAfterAQuestion) {
  auto& one = add(1);
  const auto asked = ask(one);
  EXPECT_GT(visits.restless(2), Duration{});
  EXPECT_EQ(visits.restless(1), Duration{}) << "its own calls cannot be mistaken for another's";
  manual.pass(50ms);
  EXPECT_LE(visits.restless(2), Duration{});
  back.reply("{}");
  manual.poll();
}

TEST_F(VisitsTest, AQuestionReachesWhoMadeTheCall) {
  auto& one = add(1);
  const auto asked = ask(one);
  EXPECT_TRUE(one.visit.waits());
  EXPECT_THAT(back.asked, ElementsAre("roots/list"));
  back.reply(R"({"roots":[]})");
  manual.poll();
  ASSERT_TRUE(asked->value && *asked->value);
  EXPECT_EQ((**asked->value).body.text(), R"({"roots":[]})");
  EXPECT_FALSE(one.visit.waits());
}

TEST_F(VisitsTest, AQuestionEndsWithItsCall) {
  auto& one = add(1);
  const auto asked = ask(one);
  end(one);
  ASSERT_TRUE(asked->value);
  EXPECT_EQ(asked->value->error().kind, ErrorKind::closed);
  EXPECT_EQ(visits.count(), 0U);
}

TEST_F(VisitsTest, AQuestionAfterTheEndIsRefused) {
  auto& one = add(1);
  const auto first = ask(one);
  manual.run(one.visit.end());
  const auto late = ask(one);
  ASSERT_TRUE(late->value);
  EXPECT_EQ(late->value->error().kind, ErrorKind::closed);
}

TEST_F(VisitsTest, WhereThereIsNobodyToAskAQuestionIsRefused) {
  auto& one = add(1);
  one.call.context.back = nullptr;
  const auto asked = ask(one);
  ASSERT_TRUE(asked->value);
  EXPECT_EQ(asked->value->error().kind, ErrorKind::refused);
}

TEST_F(VisitsTest, AServerMayWithdrawItsQuestion) {
  auto& one = add(1);
  const auto asked = ask(one);
  manual.give_up(asked);
  EXPECT_TRUE(asked->done());
  EXPECT_FALSE(one.visit.waits());
}

}  // namespace
}  // namespace fairlead::gateway::test
