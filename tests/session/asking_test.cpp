#include <fairlead/base/task_scope.hpp>
#include <gtest/gtest.h>

#include "session/conversation.hpp"

/// How a session asks its peer.
namespace fairlead::session::asking_test {
namespace {

using std::chrono::seconds;

Call tool_call() {
  return {.method = "tools/call", .params = json::Payload::trusted(R"({"name":"a"})")};
}

SessionOptions client() {
  return {.side = Side::client};
}

TEST(Asking, CountsItsIdsUp_S1_43) {
  Talk talk(client());
  const auto first = talk.ask(tool_call());
  const auto second = talk.ask(tool_call());
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})"
                          "\n"
                          R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}})");
}

Task<void> ask_once(Service& peer, Call call) {
  co_await peer.call(call);
}

TEST(Asking, SendsAtOnceWhatIsAloneAndTheRestTogether) {
  Talk talk(client());
  TaskScope tasks(talk.io.get_executor(), talk.log, "test");
  auto listening = tool_call();
  listening.patience = Patience::endless();
  std::vector<std::size_t> sent;
  talk.on_the_loop([&] {
    tasks.spawn(ask_once(talk.session.peer(), listening));
    for (int i = 0; i < 3; ++i) tasks.spawn(ask_once(talk.session.peer(), tool_call()));
    sent.push_back(talk.transport.lines.size());
  });
  talk.settle();
  sent.push_back(talk.transport.lines.size());
  talk.say(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  talk.say(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  talk.say(R"({"jsonrpc":"2.0","id":4,"result":{}})");
  talk.on_the_loop([&] {
    tasks.spawn(ask_once(talk.session.peer(), tool_call()));
    sent.push_back(talk.transport.lines.size());
    tasks.cancel();
  });
  talk.settle();
  EXPECT_EQ(sent, (std::vector<std::size_t>{0, 4, 5}));
}

TEST(Asking, SaysItsIdBeforeItIsSent) {
  Talk talk(client());
  std::size_t before = 1;
  auto call = tool_call();
  call.on_sent = [&](const jsonrpc::Id& id) {
    EXPECT_EQ(id, jsonrpc::Id(1));
    before = talk.transport.lines.size();
  };
  const auto answer = talk.ask(std::move(call));
  EXPECT_EQ(before, 0U);
  EXPECT_EQ(talk.transport.lines.size(), 1U);
}

TEST(Asking, MatchesAnswersById_S1_44) {
  Talk talk(client());
  const auto first = talk.ask(tool_call());
  const auto second = talk.ask(tool_call());
  talk.say(R"({"jsonrpc":"2.0","id":2,"result":{"n":2}})");
  EXPECT_FALSE(*first);
  ASSERT_TRUE(*second);
  EXPECT_EQ((**second)->body.text(), R"({"n":2})");
  talk.say(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":[1]}})");
  ASSERT_TRUE(*first);
  EXPECT_EQ((**first).error(), (Error{.kind = ErrorKind::refused, .message = "no", .code = -32602, .data = "[1]"}));
}

TEST(Asking, TellsWhatCameAlongWithTheAnswer) {
  Talk talk(client());
  jsonrpc::Luggage got;
  auto call = tool_call();
  call.on_luggage = [&](const jsonrpc::Luggage& luggage) { got.insert(got.end(), luggage.begin(), luggage.end()); };
  const auto first = talk.ask(call);
  const auto second = talk.ask(call);
  const auto luggage = std::make_shared<jsonrpc::Luggage>(jsonrpc::Luggage{{"Server-Timing", "db;dur=2"}});
  talk.transport.deliver(jsonrpc::Response{.id = 1, .result = json::Payload::trusted("{}"), .luggage = luggage});
  talk.transport.deliver(jsonrpc::ErrorResponse{.id = 2, .error = {.code = 1, .message = "no"}, .luggage = luggage});
  talk.settle();
  EXPECT_TRUE(*first && *second);
  EXPECT_EQ(got, (jsonrpc::Luggage{{"Server-Timing", "db;dur=2"}, {"Server-Timing", "db;dur=2"}}));
}

TEST(Asking, IgnoresAnswersThatNobodyWaitsFor) {
  Talk talk(client());
  talk.say(R"({"jsonrpc":"2.0","id":5,"result":{}})");
  talk.say(R"({"jsonrpc":"2.0","id":"x","result":{}})");
  talk.say(R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}})");
  EXPECT_FALSE(talk.ended);
}

TEST(Asking, GivesUpAtTheDeadlineAndSaysSo_S4_25) {
  Talk talk(client());
  const auto result = talk.ask(tool_call());
  talk.heard();
  talk.pass(seconds{29});
  EXPECT_FALSE(*result);
  talk.pass(seconds{2});
  ASSERT_TRUE(*result);
  EXPECT_EQ((**result).error().kind, ErrorKind::timeout);
  EXPECT_EQ(
      talk.heard(),
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"no answer before the deadline"}})");
}

TEST(Asking, NeverCancelsTheHandshake) {
  Talk talk(client());
  const auto result = talk.ask({.method = "initialize"});
  talk.heard();
  talk.pass(seconds{31});
  ASSERT_TRUE(*result);
  EXPECT_EQ(talk.heard(), "");
}

TEST(Asking, WaitsLongerWhileThereIsProgress) {
  Talk talk(client());
  auto call = tool_call();
  call.patience = {.idle = seconds{30}, .cap = seconds{70}};
  double seen = 0;
  call.on_progress = [&](const protocol::ProgressParams& params) { seen = params.progress; };
  const auto result = talk.ask(std::move(call));
  EXPECT_NE(talk.heard().find(R"("_meta":{"progressToken":1})"), std::string::npos);
  for (int step = 1; step <= 3; ++step) {
    talk.pass(seconds{20});
    talk.say(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":)" +
             std::to_string(step) + "}}");
    EXPECT_FALSE(*result) << step;
  }
  EXPECT_EQ(seen, 3);
  talk.pass(seconds{11});
  ASSERT_TRUE(*result);  // The cap: progress does not buy eternity.
  EXPECT_EQ((**result).error().kind, ErrorKind::timeout);
}

TEST(Asking, EndsWithClosedWhenThePeerHangsUp_S1_17_S1_18) {
  Talk talk(client());
  const auto pending = talk.ask(tool_call());
  talk.hang_up("the server exited with status 3");
  ASSERT_TRUE(*pending);
  EXPECT_EQ((**pending).error().kind, ErrorKind::closed);
  EXPECT_EQ((**pending).error().message, "the server exited with status 3");
  const auto later = talk.ask(tool_call());
  ASSERT_TRUE(*later);
  EXPECT_EQ((**later).error().kind, ErrorKind::closed);
}

TEST(Asking, EndsWithClosedWhenWeClose) {
  Talk talk(client());
  const auto pending = talk.ask(tool_call());
  talk.close();
  ASSERT_TRUE(*pending);
  EXPECT_EQ((**pending).error().kind, ErrorKind::closed);
  EXPECT_TRUE(talk.ended);
}

TEST(Asking, SpeaksTheRevisionItAdopted) {
  Talk talk(client());
  talk.session.adopt(protocol::newest(), {.revision = std::string(protocol::newest().name)});
  const auto result = talk.ask(tool_call());
  EXPECT_NE(talk.heard().find("io.modelcontextprotocol/protocolVersion"), std::string::npos);
  talk.say(R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}})");
  ASSERT_TRUE(*result);
  EXPECT_EQ((**result)->kind, protocol::ResultKind::input_required);
  EXPECT_EQ((**result)->body.text(), R"({"requestState":"s"})");
}

TEST(Asking, GoesBackOnTheStreamOfTheRequestThatCausedIt) {
  Talk talk;
  talk.service.on_call = [](Call& call) -> Task<Result<Reply>> {
    co_await call.context.back->tell("notifications/message", json::Payload::trusted(R"({"level":"info","data":1})"));
    co_return co_await call.context.back->ask("roots/list", json::Payload());
  };
  talk.say(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})"
                          "\n"
                          R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
  EXPECT_EQ(talk.transport.related[0], jsonrpc::Id("r"));
  EXPECT_EQ(talk.transport.related[1], jsonrpc::Id("r"));
  talk.say(R"({"jsonrpc":"2.0","id":1,"result":{"roots":[]}})");
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":"r","result":{"roots":[]}})");
}

TEST(Asking, IsNotForServersOfTheStatelessEra) {
  Talk talk;
  std::optional<Error> refused;
  talk.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    auto asked = co_await call.context.back->ask("roots/list", json::Payload());
    if (!asked) refused = asked.error();
    co_return Reply{};
  };
  talk.say(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->kind, ErrorKind::invalid);
}

std::string hello(const std::string& capabilities) {
  return R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":)" +
         capabilities + R"(,"clientInfo":{"name":"c","version":"1"}}})";
}

/// Answers every tool call with what came of a question to its caller.
Task<Result<Reply>> ask_back(Call& call, std::string method) {
  if (call.method == "initialize") co_return Reply{.body = json::Payload::trusted("{}")};
  auto answer = co_await call.context.back->ask(std::move(method), json::Payload::trusted("{}"));
  if (!answer) co_return std::unexpected(answer.error());
  co_return answer;
}

TEST(Asking, Finding_P6_AClientThatDidNotDeclareACapabilityIsNotAskedForIt) {
  for (const std::string method : {"elicitation/create", "sampling/createMessage", "roots/list"}) {
    Talk talk;
    talk.service.on_call = [method](Call& call) { return ask_back(call, method); };
    talk.say(hello("{}"));
    talk.heard();
    talk.say(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
    const auto answer = talk.heard();
    EXPECT_EQ(answer.find(R"("method":)"), std::string::npos) << answer;
    EXPECT_NE(answer.find(R"("id":"r")"), std::string::npos) << "it is refused at once: " << answer;
    EXPECT_NE(answer.find("did not declare"), std::string::npos) << answer;
  }
}

TEST(Asking, Finding_P6_AClientThatDeclaredItIsAsked) {
  Talk talk;
  talk.service.on_call = [](Call& call) { return ask_back(call, "elicitation/create"); };
  talk.say(hello(R"({"elicitation":{}})"));
  talk.heard();
  talk.say(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
  EXPECT_NE(talk.heard().find(R"("method":"elicitation/create")"), std::string::npos);
}

TEST(Asking, Finding_S14_AQuestionToAPersonMayTakeFiveMinutesAndNoLonger) {
  Talk talk;
  talk.service.on_call = [](Call& call) { return ask_back(call, "elicitation/create"); };
  talk.say(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
  talk.heard();
  talk.pass(seconds(299));
  EXPECT_EQ(talk.heard(), "") << "people may think about it";
  talk.pass(seconds(2));
  EXPECT_NE(talk.heard().find("the client did not answer elicitation/create within 5m"), std::string::npos);
}

TEST(Asking, Finding_S14_HowLongAQuestionMayTakeIsAnOption) {
  SessionOptions options;
  options.question_timeout = seconds(20);
  Talk talk(options);
  talk.service.on_call = [](Call& call) { return ask_back(call, "roots/list"); };
  talk.say(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
  talk.pass(seconds(21));
  EXPECT_NE(talk.heard().find("the client did not answer roots/list within 20s"), std::string::npos);
}

TEST(Asking, Finding_S14_WhatWaitsForUsIsNotIdle) {
  Talk talk(client());
  auto call = tool_call();
  call.patience = {.idle = seconds(30), .cap = seconds(300)};
  bool waits = true;
  TimePoint answered = {};
  call.waited_for_us = [&] { return waits ? talk.clock.now() : answered; };
  const auto result = talk.ask(std::move(call));
  for (int i = 0; i < 3; ++i) talk.pass(seconds(29));
  EXPECT_FALSE(*result);
  answered = talk.clock.now();
  waits = false;
  talk.pass(seconds(29));
  EXPECT_FALSE(*result) << "the idle time begins with the answer";
  talk.pass(seconds(2));
  EXPECT_TRUE(*result);
}

TEST(Asking, Finding_S14_TheLimitOfTheWholeCallHoldsWhileThePeerWaitsForUs) {
  Talk talk(client());
  auto call = tool_call();
  call.patience = {.idle = seconds(30), .cap = seconds(60)};
  call.waited_for_us = [&] { return talk.clock.now(); };
  const auto result = talk.ask(std::move(call));
  talk.pass(seconds(31));
  EXPECT_FALSE(*result);
  talk.pass(seconds(30));
  EXPECT_TRUE(*result);
}

TEST(Asking, Finding_S23_NoiseOfAPeerIsAFewLinesInTheLog) {
  Talk talk(client());
  for (int i = 0; i < 2000; ++i) talk.transport.deliver(transport::Unreadable{});
  talk.settle();
  EXPECT_LE(talk.log.lines().size(), 20U);
  EXPECT_GE(talk.log.lines().size(), 1U);
  talk.pass(std::chrono::minutes(2));
  talk.transport.deliver(transport::Unreadable{});
  talk.settle();
  EXPECT_TRUE(talk.log.contains("1990 like it before this were left out"));
}

}  // namespace
}  // namespace fairlead::session::asking_test
