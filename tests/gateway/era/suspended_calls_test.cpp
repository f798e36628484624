#include "gateway/era/suspended_calls.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/protocol_error.hpp>

#include "gateway/fixtures/client_error_text.hpp"
#include "gateway/fixtures/manual_loop.hpp"

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

/// A server of the handshake era that sends requests during every call.
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
      auto answer = co_await call.context.peer->request(method, json::Payload::trusted(R"({"message":"?"})"));
      if (!answer) co_return std::unexpected(std::move(answer.error()));
      all += std::string(answer->body.text());
    }
    while (stuck) co_await go_on.wait();
    co_return Reply{.body = json::Payload::trusted(R"({"got":[)" + all + "]}")};
  }
  Task<void> notify(session::Notification&) override { co_return; }

  std::string method = "elicitation/create";
  std::size_t questions = 1;
  std::size_t calls = 0;
  std::size_t ends = 0;
  bool stuck = false;
  AsyncEvent go_on;
};

/// Knows only whether servers may send requests.
struct FakeLookup final : BackendLookup {
  std::optional<std::string> backend_name_of(ListKind, std::string_view) const override { return std::nullopt; }
  bool may_send_requests(ListKind kind, std::string_view name) const override {
    return kind != ListKind::tools || name != "never asks";
  }
};

std::shared_ptr<const protocol::ClientIdentity> eliciting_client() {
  auto client = std::make_shared<protocol::ClientIdentity>();
  client->capabilities.elicitation.emplace();
  return client;
}

struct SuspendedCallsTest : testing::Test {
  ~SuspendedCallsTest() override { manual.run(calls->stop()); }

  using Outcome = std::shared_ptr<Started<Result<Reply>>>;

  static Task<Result<Reply>> calling(SuspendedCalls* calls, Call call, session::Service* server) {
    co_return co_await calls->call(call, *server);
  }
  Outcome make(std::string params, std::string principal = "anna", std::string method = "tools/call") {
    auto call = call_in(modern, std::move(method), std::move(params));
    call.context.principal = std::move(principal);
    call.context.peer = &back;
    call.context.caller = eliciting_client();
    EXPECT_TRUE(calls->handles(call, backends));
    return manual.start(calling(&*calls, std::move(call), &server));
  }
  /// The request state in a reply.
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
  FakeLookup backends;
  FakePeerChannel back{manual.loop().executor};
  AskingServer server{manual.loop().executor};
  std::optional<SuspendedCalls> calls{std::in_place, manual.loop(),
                                      SuspendedCallOptions{.max_calls = 3, .timeout = 5min}};
  const std::string first = R"({"name":"t","arguments":{"a":1}})";
};

TEST_F(SuspendedCallsTest, HandlesOnlyCallsWhoseServerMaySendRequestsThatTheClientAnswers) {
  const auto handles = [&](const std::string& params, bool elicits) {
    auto call = call_in(modern, "tools/call", params);
    call.context.peer = &back;
    if (elicits) call.context.caller = eliciting_client();
    return calls->handles(call, backends);
  };
  EXPECT_TRUE(handles(R"({"name":"asks"})", true));
  EXPECT_FALSE(handles(R"({"name":"never asks"})", true));
  EXPECT_FALSE(handles(R"({"name":"asks"})", false));
  EXPECT_TRUE(handles(R"({"name":"never asks","requestState":"s"})", false)) << "may be the next round of a call";
}

TEST_F(SuspendedCallsTest, ContinuesTheCallWhenTheClientReturns) {
  const auto first_round = make(first);
  const auto done = make(come_back(state_of(first_round)));
  EXPECT_EQ(error_of(done), R"({"got":[{"action":"accept"}]})");
  EXPECT_EQ(server.calls, 1U) << "the server got one call";
}

TEST_F(SuspendedCallsTest, SealsANewStatePerRound) {
  server.questions = 2;
  const auto one = make(first);
  const auto two = make(come_back(state_of(one)));
  EXPECT_NE(state_of(one), state_of(two));
  auto params = come_back(state_of(two));
  params.replace(params.find(R"("1":{)"), 3, R"("2")");
  EXPECT_THAT(error_of(make(params)), HasSubstr("accept"));
}

TEST_F(SuspendedCallsTest, Attack_AcceptsAStateOnce) {
  const auto state = state_of(make(first));
  make(come_back(state));
  EXPECT_THAT(error_of(make(come_back(state))), HasSubstr("has ended or was already answered"));
  EXPECT_EQ(server.calls, 1U);
}

TEST_F(SuspendedCallsTest, Attack_RejectsAStateOfAnEarlierRound) {
  server.questions = 2;
  const auto early = state_of(make(first));
  const auto late = state_of(make(come_back(early)));
  EXPECT_THAT(error_of(make(come_back(early))), HasSubstr("has ended or was already answered"));
  auto params = come_back(late);
  params.replace(params.find(R"("1":{)"), 3, R"("2")");
  EXPECT_THAT(error_of(make(params)), HasSubstr("accept")) << "the call still waits for the right state";
}

TEST_F(SuspendedCallsTest, Attack_BindsAStateToItsPrincipal) {
  const auto state = state_of(make(first));
  const auto stolen = make(come_back(state), "mallory");
  ASSERT_FALSE(**&stolen->value);
  EXPECT_EQ(protocol::protocol_error_of(stolen->value->error()), protocol::ProtocolError::invalid_params);
  EXPECT_THAT(error_of(make(come_back(state))), HasSubstr("accept")) << "the owner can still continue";
}

TEST_F(SuspendedCallsTest, Attack_BindsAStateToItsRequest) {
  const auto state = state_of(make(first));
  EXPECT_FALSE(*make(come_back(state, R"({"a":2})"))->value);
  auto other_tool = come_back(state);
  other_tool.replace(other_tool.find(R"("t")"), 3, R"("u")");
  EXPECT_FALSE(*make(other_tool)->value);
  EXPECT_FALSE(*make(come_back(state), "anna", "prompts/get")->value);
  EXPECT_EQ(server.calls, 1U) << "none of them reached the server";
}

TEST_F(SuspendedCallsTest, Attack_RejectsAModifiedState) {
  const auto state = state_of(make(first));
  for (const std::size_t at : {state.size() / 2, state.size() - 2}) {
    auto forged = state;
    forged[at] = forged[at] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(*make(come_back(forged))->value) << at;
  }
  EXPECT_EQ(server.calls, 1U);
}

TEST_F(SuspendedCallsTest, PassesAStateOfTheServerToIt) {
  server.questions = 0;
  EXPECT_THAT(error_of(make(come_back("of-the-server"))), HasSubstr("got"));
  EXPECT_EQ(server.calls, 1U);
}

TEST_F(SuspendedCallsTest, CancelsACallWhoseClientDoesNotReturnInTime) {
  const auto state = state_of(make(first));
  manual.pass(5min - 1s);
  EXPECT_EQ(server.ends, 0U);
  manual.pass(2s);
  EXPECT_EQ(server.ends, 1U) << "the server's call was cancelled";
  EXPECT_THAT(error_of(make(come_back(state))), HasSubstr("has ended or was already answered: call again"));
}

TEST_F(SuspendedCallsTest, ReportsTheLimitOfSuspendedCalls) {
  const auto one = make(first), two = make(first), three = make(first), four = make(first);
  EXPECT_THAT(error_of(four), HasSubstr("too many calls wait for input of their clients; try again later"));
  EXPECT_EQ(server.ends, 1U) << "the refused call was cancelled";
  EXPECT_THAT(error_of(make(come_back(state_of(one)))), HasSubstr("accept"));
  EXPECT_THAT(state_of(make(first)), Not(HasSubstr("no "))) << "one slot is free again";
}

TEST_F(SuspendedCallsTest, Finding_S15_LimitsOneCallerToItsShareAndReportsIt) {
  manual.run(calls->stop());
  calls.emplace(manual.loop(), SuspendedCallOptions{.max_calls = 4, .timeout = 5min});
  for (int i = 0; i < 3; ++i) EXPECT_THAT(state_of(make(first)), Not(HasSubstr("no ")));
  const auto more = make(first);
  ASSERT_TRUE(more->value && !*more->value);
  EXPECT_THAT(client_error_text(more->value->error(), modern), HasSubstr("which is the share of one caller"));
  EXPECT_THAT(state_of(make(first, "ben")), Not(HasSubstr("no "))) << "one slot is left for another caller";
  const auto beyond_limit = make(first, "ben");
  ASSERT_TRUE(beyond_limit->value && !*beyond_limit->value);
  EXPECT_THAT(client_error_text(beyond_limit->value->error(), modern), HasSubstr("too many calls wait"));
}

TEST_F(SuspendedCallsTest, DoesNotCountAnsweredCalls) {
  server.questions = 0;
  for (int i = 0; i < 10; ++i) EXPECT_THAT(error_of(make(first)), HasSubstr("got"));
  server.questions = 1;
  EXPECT_THAT(state_of(make(first)), Not(HasSubstr("no ")));
}

TEST_F(SuspendedCallsTest, CancellingTheRequestCancelsTheCall) {
  server.stuck = true;
  server.questions = 0;
  const auto waiting = make(first);
  EXPECT_FALSE(waiting->done());
  manual.give_up(waiting);
  EXPECT_TRUE(waiting->done());
  EXPECT_EQ(server.ends, 1U);
}

TEST_F(SuspendedCallsTest, RejectsASecondRequestForTheSameCall) {
  const auto state = state_of(make(first));
  server.stuck = true;
  const auto waiting = make(come_back(state));
  EXPECT_THAT(error_of(make(come_back(state))), HasSubstr("has ended or was already answered"));
  server.stuck = false;
  server.go_on.notify();
  manual.poll();
  EXPECT_THAT(error_of(waiting), HasSubstr("accept"));
}

TEST_F(SuspendedCallsTest, RefusesRequestsTheClientCannotAnswer) {
  server.method = "vendor/ask";
  EXPECT_THAT(error_of(make(first)), HasSubstr("the client does not support this request"));
}

TEST_F(SuspendedCallsTest, Attack_NeverLogsTheState) {
  const auto state = state_of(make(first));
  make(come_back(state), "mallory");
  make(come_back(state));
  make(come_back(state));
  EXPECT_FALSE(manual.log().contains(state));
}

}  // namespace
}  // namespace fairlead::gateway::test
