#include "gateway/front/parking.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/fault.hpp>

#include "manual_loop.hpp"

namespace fairlead::gateway::test {
namespace {

using namespace std::chrono_literals;
using session::Call;
using session::Reply;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto modern = "2026-07-28";

/// A server of the older kind: asks in the middle of every call, as often as it is told to.
struct AskingServer final : session::Service {
  explicit AskingServer(boost::asio::any_io_executor executor) : go_on(std::move(executor)) {}

  Task<Result<Reply>> call(Call& call) override {
    ++calls;
    struct Ended {
      std::size_t& count;
      ~Ended() { ++count; }
    } const ended{ends};
    std::string all;
    for (std::size_t i = 0; i < questions; ++i) {
      auto answer = co_await call.context.back->ask(method, json::Payload::trusted(R"({"message":"?"})"));
      if (!answer) co_return std::unexpected(std::move(answer.error()));
      all += std::string(answer->body.text());
    }
    while (stuck) co_await go_on.wait();
    co_return Reply{.body = json::Payload::trusted(R"({"got":[)" + all + "]}")};
  }
  Task<void> notify(session::Notice&) override { co_return; }

  std::string method = "elicitation/create";
  std::size_t questions = 1;
  std::size_t calls = 0;
  std::size_t ends = 0;
  bool stuck = false;
  Bell go_on;
};

struct ParkingTest : testing::Test {
  ~ParkingTest() override { manual.run(parking->stop()); }

  using Outcome = std::shared_ptr<Started<Result<Reply>>>;

  static Task<Result<Reply>> calling(Parking* parking, Call call) { co_return co_await parking->call(call); }
  Outcome make(std::string params, std::string principal = "anna", std::string method = "tools/call") {
    auto call = call_in(modern, std::move(method), std::move(params));
    call.context.principal = std::move(principal);
    call.context.back = &back;
    EXPECT_TRUE(parking->takes(call));
    return manual.start(calling(&*parking, std::move(call)));
  }
  /// The state that a call was answered with; and, where that is needed, the key of its only question.
  static std::string state_of(const Outcome& outcome) {
    if (!outcome->value || !*outcome->value) return "no answer";
    EXPECT_EQ((*outcome->value)->kind, protocol::ResultKind::input_required);
    const auto text = json::member_of((*outcome->value)->body.text(), "requestState");
    return json::decode<std::string>(text).value_or("no state");
  }
  static std::string come_back(const std::string& state, const std::string& arguments = R"({"a":1})") {
    return R"({"name":"t","arguments":)" + arguments + R"(,"requestState":")" + state +
           R"(","inputResponses":{"1":{"action":"accept"}}})";
  }
  static std::string error_of(const Outcome& outcome) {
    if (!outcome->value) return "no answer";
    return *outcome->value ? std::string((**outcome->value).body.text()) : outcome->value->error().message;
  }

  ManualLoop manual;
  FakeBack back{manual.loop().executor};
  AskingServer server{manual.loop().executor};
  std::optional<Parking> parking{std::in_place, manual.loop(), server, ParkingOptions{.places = 3, .patience = 5min}};
  const std::string first = R"({"name":"t","arguments":{"a":1}})";
};

TEST_F(ParkingTest, TheCallGoesOnWhereItWasWhenItsCallerComesBack) {
  const auto asked = make(first);
  const auto done = make(come_back(state_of(asked)));
  EXPECT_EQ(error_of(done), R"({"got":[{"action":"accept"}]})");
  EXPECT_EQ(server.calls, 1U) << "the server has seen one call";
}

TEST_F(ParkingTest, EachRoundHasAStateOfItsOwn) {
  server.questions = 2;
  const auto one = make(first);
  const auto two = make(come_back(state_of(one)));
  EXPECT_NE(state_of(one), state_of(two));
  auto params = come_back(state_of(two));
  params.replace(params.find(R"("1":{)"), 3, R"("2")");
  EXPECT_THAT(error_of(make(params)), HasSubstr("accept"));
}

TEST_F(ParkingTest, Attack_AStateIsGoodOnce) {
  const auto state = state_of(make(first));
  make(come_back(state));
  EXPECT_THAT(error_of(make(come_back(state))), HasSubstr("over or was answered already"));
  EXPECT_EQ(server.calls, 1U);
}

TEST_F(ParkingTest, Attack_AStateOfAnEarlierRoundIsOver) {
  server.questions = 2;
  const auto early = state_of(make(first));
  const auto late = state_of(make(come_back(early)));
  EXPECT_THAT(error_of(make(come_back(early))), HasSubstr("over or was answered already"));
  auto params = come_back(late);
  params.replace(params.find(R"("1":{)"), 3, R"("2")");
  EXPECT_THAT(error_of(make(params)), HasSubstr("accept")) << "and the call still waits for the right one";
}

TEST_F(ParkingTest, Attack_AStateIsGoodForWhoItWasGivenTo) {
  const auto state = state_of(make(first));
  const auto stolen = make(come_back(state), "mallory");
  ASSERT_FALSE(**&stolen->value);
  EXPECT_EQ(protocol::fault_of(stolen->value->error()), protocol::Fault::invalid_params);
  EXPECT_THAT(error_of(make(come_back(state))), HasSubstr("accept")) << "and its owner has lost nothing";
}

TEST_F(ParkingTest, Attack_AStateIsGoodForTheSameRequestAlone) {
  const auto state = state_of(make(first));
  EXPECT_FALSE(*make(come_back(state, R"({"a":2})"))->value);
  auto other_tool = come_back(state);
  other_tool.replace(other_tool.find(R"("t")"), 3, R"("u")");
  EXPECT_FALSE(*make(other_tool)->value);
  EXPECT_FALSE(*make(come_back(state), "anna", "prompts/get")->value);
  EXPECT_EQ(server.calls, 1U) << "none of them reached the server";
}

TEST_F(ParkingTest, Attack_AStateThatWasChangedOpensNothing) {
  const auto state = state_of(make(first));
  for (const std::size_t at : {state.size() / 2, state.size() - 2}) {
    auto forged = state;
    forged[at] = forged[at] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(*make(come_back(forged))->value) << at;
  }
  EXPECT_EQ(server.calls, 1U);
}

TEST_F(ParkingTest, AStateOfTheServersOwnPassesToIt) {
  server.questions = 0;
  EXPECT_THAT(error_of(make(come_back("of-the-server"))), HasSubstr("got"));
  EXPECT_EQ(server.calls, 1U);
}

TEST_F(ParkingTest, WhoDoesNotComeBackInTimeIsGivenUp) {
  const auto state = state_of(make(first));
  manual.pass(5min - 1s);
  EXPECT_EQ(server.ends, 0U);
  manual.pass(2s);
  EXPECT_EQ(server.ends, 1U) << "the server's call was cancelled";
  EXPECT_THAT(error_of(make(come_back(state))), HasSubstr("over or was answered already: call again"));
}

TEST_F(ParkingTest, ThereAreSoManyPlacesAndTheErrorSaysSo) {
  const auto one = make(first), two = make(first), three = make(first), four = make(first);
  EXPECT_THAT(error_of(four), HasSubstr("too many calls wait for answers of their callers; try again later"));
  EXPECT_EQ(server.ends, 1U) << "what found no place does not go on";
  EXPECT_THAT(error_of(make(come_back(state_of(one)))), HasSubstr("accept"));
  EXPECT_THAT(state_of(make(first)), Not(HasSubstr("no "))) << "and one place is free again";
}

TEST_F(ParkingTest, ACallThatIsAnsweredTakesNoPlace) {
  server.questions = 0;
  for (int i = 0; i < 10; ++i) EXPECT_THAT(error_of(make(first)), HasSubstr("got"));
  server.questions = 1;
  EXPECT_THAT(state_of(make(first)), Not(HasSubstr("no ")));
}

TEST_F(ParkingTest, WhoGivesUpEndsTheCall) {
  server.stuck = true;
  server.questions = 0;
  const auto waiting = make(first);
  EXPECT_FALSE(waiting->done());
  manual.give_up(waiting);
  EXPECT_TRUE(waiting->done());
  EXPECT_EQ(server.ends, 1U);
}

TEST_F(ParkingTest, TwoCannotStandForOneCall) {
  const auto state = state_of(make(first));
  server.stuck = true;
  const auto waiting = make(come_back(state));
  EXPECT_THAT(error_of(make(come_back(state))), HasSubstr("over or was answered already"));
  server.stuck = false;
  server.go_on.ring();
  manual.poll();
  EXPECT_THAT(error_of(waiting), HasSubstr("accept"));
}

TEST_F(ParkingTest, WhatSuchACallerCannotBeAskedIsRefused) {
  server.method = "vendor/ask";
  EXPECT_THAT(error_of(make(first)), HasSubstr("this client cannot be asked that"));
}

TEST_F(ParkingTest, Attack_TheStateIsNeverLogged) {
  const auto state = state_of(make(first));
  make(come_back(state), "mallory");
  make(come_back(state));
  make(come_back(state));
  EXPECT_FALSE(manual.log().contains(state));
}

}  // namespace
}  // namespace fairlead::gateway::test
