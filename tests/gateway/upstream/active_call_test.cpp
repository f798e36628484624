#include "gateway/upstream/active_call.hpp"

#include "gateway/fixtures/manual_loop.hpp"

namespace fairlead::gateway::test {
namespace {

using namespace std::chrono_literals;
using session::Call;
using session::Reply;
using testing::ElementsAre;
using testing::SizeIs;

/// Calls of several clients in flight at one server.
struct ActiveCallsTest : testing::Test {
  struct RunningCall {
    RunningCall(ActiveCalls& active_calls, Call made) : call(std::move(made)), active(active_calls, call) {}
    Call call;
    ActiveCall active;
  };

  RunningCall& add(std::uint64_t session_key, std::string principal = "", std::string method = "tools/call") {
    Call call{.method = std::move(method)};
    call.context.session_key = session_key;
    call.context.principal = std::move(principal);
    call.context.peer = &client;
    running.push_back(std::make_unique<RunningCall>(active_calls, std::move(call)));
    return *running.back();
  }
  static Task<Result<Reply>> asking(ActiveCall* active) {
    co_return co_await active->request("roots/list", json::Payload());
  }
  auto send_request(RunningCall& of) { return manual.start(asking(&of.active)); }
  void end(RunningCall& of) {
    manual.run(of.active.cancel_requests());
    std::erase_if(running, [&](const auto& each) { return each.get() == &of; });
  }
  ActiveCall* attribute(std::string principal, std::uint64_t session = 0) {
    return active_calls.attribute({.principal = std::move(principal), .session = session});
  }

  ManualLoop manual;
  FakePeerChannel client{manual.loop().executor};
  ActiveCalls active_calls{manual.loop()};
  std::vector<std::unique_ptr<RunningCall>> running;
};

TEST_F(ActiveCallsTest, IsEmptyWithoutCalls) {
  EXPECT_EQ(attribute("anna"), nullptr);
  EXPECT_EQ(active_calls.count(), 0U);
}

TEST_F(ActiveCallsTest, FindsACallByItsUpstreamId) {
  auto& one = add(1, "anna");
  auto& two = add(2, "ben");
  one.active.set_id(jsonrpc::Id(7));
  two.active.set_id(jsonrpc::Id(8));
  EXPECT_EQ(active_calls.find(jsonrpc::Id(7)), &one.active);
  EXPECT_EQ(active_calls.find(jsonrpc::Id(8)), &two.active);
  EXPECT_EQ(active_calls.find(jsonrpc::Id(9)), nullptr) << "unknown id";
}

TEST_F(ActiveCallsTest, AttributesToTheLatestCallOfTheCaller) {
  add(1, "anna");
  auto& later = add(1, "anna");
  add(2, "ben");
  EXPECT_EQ(attribute("anna"), &later.active);
}

TEST_F(ActiveCallsTest, AttributesToTheIdleSessionOfAPrincipal) {
  auto& waits = add(1, "anna");
  auto& idle = add(2, "anna");
  EXPECT_EQ(attribute("anna"), nullptr) << "ambiguous";
  const auto pending = send_request(waits);
  EXPECT_EQ(attribute("anna"), &idle.active);
  client.reply("{}");
  manual.poll();
  EXPECT_EQ(attribute("anna"), nullptr) << "ambiguous again";
}

TEST_F(ActiveCallsTest, Attack_SeparatesAnonymousSessions) {
  auto& one = add(1);
  auto& two = add(2);
  EXPECT_EQ(attribute("", 1), &one.active);
  EXPECT_EQ(attribute("", 2), &two.active);
  EXPECT_THAT(active_calls.callers(), SizeIs(2));
}

TEST_F(ActiveCallsTest, AttributesToAListRequestOnlyWithoutOtherCalls) {
  auto& lists = add(1, "anna", "tools/list");
  EXPECT_EQ(attribute("anna"), &lists.active);
  auto& calls = add(1, "anna");
  add(1, "anna", "tools/list");
  EXPECT_EQ(attribute("anna"), &calls.active);
  EXPECT_THAT(active_calls.callers(), SizeIs(1));
}

TEST_F(ActiveCallsTest, DelaysOtherClientsAfterAServerRequest) {
  auto& one = add(1);
  const auto pending = send_request(one);
  EXPECT_GT(active_calls.settle_delay(2), Duration{});
  EXPECT_EQ(active_calls.settle_delay(1), Duration{}) << "calls of the same session need not wait";
  manual.pass(50ms);
  EXPECT_LE(active_calls.settle_delay(2), Duration{});
  client.reply("{}");
  manual.poll();
}

TEST_F(ActiveCallsTest, SendsAServerRequestToTheClientOfTheCall) {
  auto& one = add(1);
  const auto pending = send_request(one);
  EXPECT_TRUE(one.active.waits_for_client());
  EXPECT_THAT(client.requests, ElementsAre("roots/list"));
  client.reply(R"({"roots":[]})");
  manual.poll();
  ASSERT_TRUE(pending->value && *pending->value);
  EXPECT_EQ((**pending->value).body.text(), R"({"roots":[]})");
  EXPECT_FALSE(one.active.waits_for_client());
}

TEST_F(ActiveCallsTest, FailsAServerRequestWhenItsCallEnds) {
  auto& one = add(1);
  const auto pending = send_request(one);
  end(one);
  ASSERT_TRUE(pending->value);
  EXPECT_EQ(pending->value->error().kind, ErrorKind::closed);
  EXPECT_EQ(active_calls.count(), 0U);
}

TEST_F(ActiveCallsTest, RefusesAServerRequestAfterTheEnd) {
  auto& one = add(1);
  const auto first = send_request(one);
  manual.run(one.active.cancel_requests());
  const auto late = send_request(one);
  ASSERT_TRUE(late->value);
  EXPECT_EQ(late->value->error().kind, ErrorKind::closed);
}

TEST_F(ActiveCallsTest, RefusesAServerRequestWithoutAPeer) {
  auto& one = add(1);
  one.call.context.peer = nullptr;
  const auto pending = send_request(one);
  ASSERT_TRUE(pending->value);
  EXPECT_EQ(pending->value->error().kind, ErrorKind::refused);
}

TEST_F(ActiveCallsTest, AllowsTheServerToCancelItsRequest) {
  auto& one = add(1);
  const auto pending = send_request(one);
  manual.give_up(pending);
  EXPECT_TRUE(pending->done());
  EXPECT_FALSE(one.active.waits_for_client());
}

}  // namespace
}  // namespace fairlead::gateway::test
