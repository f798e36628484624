#include <fairlead/protocol/fault.hpp>
#include <gtest/gtest.h>

#include "session/conversation.hpp"

/// How a session serves its peer's requests.
namespace fairlead::session::serving_test {
namespace {

constexpr auto ask = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})";

Task<Result<Reply>> wait_for(std::shared_ptr<Promise<bool>> gate) {
  co_await gate->wait(false);
  co_return Reply{.body = json::Payload::trusted(R"({"late":true})")};
}

TEST(Serving, EchoesTheIdInItsType) {
  Talk talk;
  talk.say(R"({"jsonrpc":"2.0","id":"one","method":"tools/call","params":{"name":"a"}})");
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":"one","result":{"name":"a"}})");
}

TEST(Serving, AnswersOutOfOrder_S0_25) {
  Talk talk;
  const auto gate = std::make_shared<Promise<bool>>();
  talk.service.on_call = [&](Call& call) {
    return call.method == "tools/call" ? wait_for(gate) : TestService::echo(call);
  };
  talk.say(ask);
  talk.say(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":2,"result":{}})");
  gate->set(true);
  talk.settle();
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":1,"result":{"late":true}})");
}

TEST(Serving, AnswersPingItself) {
  Talk talk;
  talk.say(R"({"jsonrpc":"2.0","id":99,"method":"ping"})");
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":99,"result":{}})");
  EXPECT_TRUE(talk.service.calls.empty());
}

TEST(Serving, TellsAFaultAsTheDialectWants) {
  Talk talk({.dialect = protocol::Dialect::chain});
  talk.service.on_call = [](Call&) -> Task<Result<Reply>> {
    co_return std::unexpected(protocol::fault_error(protocol::Fault::unknown_tool, "", "a"));
  };
  talk.say(ask);
  EXPECT_EQ(
      talk.heard(),
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Tool not found","data":"Tool 'a' does not exist"}})");
}

TEST(Serving, KeepsAnExceptionsTextToItself) {
  Talk talk;
  talk.service.on_call = [](Call&) -> Task<Result<Reply>> {
    throw std::runtime_error("/etc/secret");
    co_return Reply{};
  };
  talk.say(ask);
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}})");
  ASSERT_FALSE(talk.log.lines().empty());
  EXPECT_NE(talk.log.lines().back().message.find("/etc/secret"), std::string::npos);
}

TEST(Serving, SilencesACancelledRequestAndReachesItsHandler) {
  Talk talk;
  bool reached = false;
  const auto gate = std::make_shared<Promise<bool>>();
  talk.service.on_call = [&](Call&) -> Task<Result<Reply>> {
    reached = !co_await gate->wait(false);
    co_return Reply{};
  };
  talk.say(ask);
  talk.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_TRUE(reached);
  EXPECT_EQ(talk.heard(), "");
  talk.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}})");
  talk.say(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

TEST(Serving, RefusesAnIdThatIsStillInUse) {
  Talk talk;
  const auto gate = std::make_shared<Promise<bool>>();
  talk.service.on_call = [&](Call&) { return wait_for(gate); };
  talk.say(ask);
  talk.say(ask);
  EXPECT_NE(talk.heard().find("-32600"), std::string::npos);
}

TEST(Serving, RefusesMoreThanItCanHold) {
  Talk talk({.max_in_flight = 1});
  const auto gate = std::make_shared<Promise<bool>>();
  talk.service.on_call = [&](Call&) { return wait_for(gate); };
  talk.say(ask);
  talk.say(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  EXPECT_NE(talk.heard().find("too many requests at once"), std::string::npos);
}

TEST(Serving, RepliesToWhatItCannotRead) {
  Talk talk;
  talk.say("{");
  EXPECT_NE(talk.heard().find("-32700"), std::string::npos);
  talk.say(ask);
  EXPECT_NE(talk.heard().find("\"result\""), std::string::npos);
}

TEST(Serving, StaysQuietAboutWhatAServerPrints) {
  Talk talk({.side = Side::client});
  talk.say("Server started on port 3000");
  EXPECT_EQ(talk.heard(), "");
}

TEST(Serving, AnswersEverythingBeforeItEnds) {
  Talk talk;
  const auto gate = std::make_shared<Promise<bool>>();
  talk.service.on_call = [&](Call&) { return wait_for(gate); };
  talk.say(ask);
  talk.hang_up();
  EXPECT_FALSE(talk.ended);
  gate->set(true);
  talk.settle();
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":1,"result":{"late":true}})");
  ASSERT_TRUE(talk.ended);
  EXPECT_TRUE(*talk.ended);
}

TEST(Serving, DoesNotWaitForEverForAHandler) {
  Talk talk({.drain = std::chrono::seconds{3}});
  const auto gate = std::make_shared<Promise<bool>>();
  talk.service.on_call = [&](Call&) { return wait_for(gate); };
  talk.say(ask);
  talk.hang_up();
  talk.pass(std::chrono::seconds{4});
  EXPECT_TRUE(talk.ended);
}

TEST(Serving, LetsSendersWaitForAPeerThatDoesNotRead) {
  Talk talk({.max_queued = 2});
  talk.transport.stalled = true;
  for (int id = 1; id <= 8; ++id) {
    talk.say(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/list"})");
  }
  EXPECT_EQ(talk.heard(), "");
  talk.transport.release();
  talk.settle();
  EXPECT_EQ(talk.transport.lines.size(), 8u);
}

TEST(Serving, EndsWhenThePeerCannotBeWrittenTo) {
  Talk talk;
  talk.transport.broken = Error{.kind = ErrorKind::closed, .message = "broken pipe"};
  talk.say(ask);
  ASSERT_TRUE(talk.ended);
  EXPECT_EQ(talk.ended->error().message, "broken pipe");
}

TEST(Serving, PassesNotificationsOn_S3_07) {
  Talk talk;
  talk.say(R"({"jsonrpc":"2.0","method":"initialized"})");
  EXPECT_EQ(talk.service.notices, std::vector<std::string>{"notifications/initialized"});
  EXPECT_EQ(talk.heard(), "");
}

TEST(AnsweredNow, NeedsNoTask) {
  Talk talk;
  talk.service.on_call_now = [](Call& call) { return Result<Reply>(Reply{.body = call.params}); };
  talk.say(R"({"jsonrpc":"2.0","id":"a long id, too long to be kept in place","method":"x/y","params":{"a":1}})");
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":"a long id, too long to be kept in place","result":{"a":1}})");
  EXPECT_TRUE(talk.service.calls.empty());
}

TEST(AnsweredNow, MayBeAnError) {
  Talk talk;
  talk.service.on_call_now = [](Call&) -> std::optional<Result<Reply>> {
    return std::unexpected(protocol::fault_error(protocol::Fault::unknown_method, "", "x/y"));
  };
  talk.say(R"({"jsonrpc":"2.0","id":7,"method":"x/y"})");
  EXPECT_NE(talk.heard().find("-32601"), std::string::npos);
}

TEST(AnsweredNow, AnExceptionIsAnInternalError) {
  Talk talk;
  talk.service.on_call_now = [](Call&) -> std::optional<Result<Reply>> { throw std::runtime_error("secret"); };
  talk.say(R"({"jsonrpc":"2.0","id":7,"method":"x/y"})");
  const auto heard = talk.heard();
  EXPECT_NE(heard.find("-32603"), std::string::npos);
  EXPECT_EQ(heard.find("secret"), std::string::npos);
}

TEST(AnsweredNow, GoesIntoItsBatch) {
  Talk talk;
  talk.service.on_call_now = [](Call& call) { return Result<Reply>(Reply{.body = call.params}); };
  talk.say(R"([{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"a":1}},{"jsonrpc":"2.0","id":2,"method":"ping"}])");
  EXPECT_EQ(talk.heard(), R"([{"jsonrpc":"2.0","id":1,"result":{"a":1}},{"jsonrpc":"2.0","id":2,"result":{}}])");
}

TEST(AnsweredNow, WaitsWhileThePeerDoesNotRead) {
  SessionOptions options;
  options.max_queued = 1;
  Talk talk(options);
  talk.transport.stalled = true;
  talk.service.on_call_now = [](Call& call) { return Result<Reply>(Reply{.body = call.params}); };
  for (int i = 0; i < 4; ++i) {
    talk.say(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"x/y","params":{}})");
  }
  // One is being written and one waits for that; the others are not read.
  EXPECT_EQ(talk.transport.unread(), 2U);
  talk.transport.release();
  talk.settle();
  EXPECT_EQ(talk.transport.lines.size(), 4U);
}

}  // namespace
}  // namespace fairlead::session::serving_test
