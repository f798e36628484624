#include <fairlead/base/task_scope.hpp>
#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

/// Requests to the peer.
namespace fairlead::session::outgoing_request_test {
namespace {

using std::chrono::seconds;

Call tool_call() {
  return {.method = "tools/call", .params = json::Payload::trusted(R"({"name":"a"})")};
}

SessionOptions client() {
  return {.side = Side::client};
}

TEST(OutgoingRequest, IncrementsIds_S1_43) {
  SessionFixture fixture(client());
  const auto first = fixture.call_peer(tool_call());
  const auto second = fixture.call_peer(tool_call());
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})"
                                    "\n"
                                    R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}})");
}

Task<void> call_and_ignore(Service& peer, Call call) {
  co_await peer.call(call);
}

TEST(OutgoingRequest, SendsSingleRequestAtOnceAndOthersTogether) {
  SessionFixture fixture(client());
  TaskScope tasks(fixture.io.get_executor(), fixture.log, "test");
  auto listening = tool_call();
  listening.timeouts = Timeouts::endless();
  std::vector<std::size_t> sent;
  fixture.run_on_loop([&] {
    tasks.spawn(call_and_ignore(fixture.session.peer(), listening));
    for (int i = 0; i < 3; ++i) tasks.spawn(call_and_ignore(fixture.session.peer(), tool_call()));
    sent.push_back(fixture.transport.lines.size());
  });
  fixture.run_ready();
  sent.push_back(fixture.transport.lines.size());
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":4,"result":{}})");
  fixture.run_on_loop([&] {
    tasks.spawn(call_and_ignore(fixture.session.peer(), tool_call()));
    sent.push_back(fixture.transport.lines.size());
    tasks.cancel();
  });
  fixture.run_ready();
  EXPECT_EQ(sent, (std::vector<std::size_t>{0, 4, 5}));
}

TEST(OutgoingRequest, ReportsIdBeforeSending) {
  SessionFixture fixture(client());
  std::size_t before = 1;
  auto call = tool_call();
  call.on_sent = [&](const jsonrpc::Id& id) {
    EXPECT_EQ(id, jsonrpc::Id(1));
    before = fixture.transport.lines.size();
  };
  const auto answer = fixture.call_peer(std::move(call));
  EXPECT_EQ(before, 0U);
  EXPECT_EQ(fixture.transport.lines.size(), 1U);
}

TEST(OutgoingRequest, MatchesResponsesById_S1_44) {
  SessionFixture fixture(client());
  const auto first = fixture.call_peer(tool_call());
  const auto second = fixture.call_peer(tool_call());
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":2,"result":{"n":2}})");
  EXPECT_FALSE(*first);
  ASSERT_TRUE(*second);
  EXPECT_EQ((**second)->body.text(), R"({"n":2})");
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":[1]}})");
  ASSERT_TRUE(*first);
  EXPECT_EQ((**first).error(), (Error{.kind = ErrorKind::refused, .message = "no", .code = -32602, .data = "[1]"}));
}

TEST(OutgoingRequest, ReportsResponseHeaders) {
  SessionFixture fixture(client());
  jsonrpc::MessageHeaders got;
  auto call = tool_call();
  call.on_response_headers = [&](const jsonrpc::MessageHeaders& headers) {
    got.insert(got.end(), headers.begin(), headers.end());
  };
  const auto first = fixture.call_peer(call);
  const auto second = fixture.call_peer(call);
  const auto headers =
      std::make_shared<jsonrpc::MessageHeaders>(jsonrpc::MessageHeaders{{"Server-Timing", "db;dur=2"}});
  fixture.transport.deliver(jsonrpc::Response{.id = 1, .result = json::Payload::trusted("{}"), .headers = headers});
  fixture.transport.deliver(jsonrpc::ErrorResponse{.id = 2, .error = {.code = 1, .message = "no"}, .headers = headers});
  fixture.run_ready();
  EXPECT_TRUE(*first && *second);
  EXPECT_EQ(got, (jsonrpc::MessageHeaders{{"Server-Timing", "db;dur=2"}, {"Server-Timing", "db;dur=2"}}));
}

TEST(OutgoingRequest, IgnoresUnknownResponses) {
  SessionFixture fixture(client());
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":5,"result":{}})");
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":"x","result":{}})");
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}})");
  EXPECT_FALSE(fixture.ended);
}

TEST(OutgoingRequest, SendsCancelledOnTimeout_S4_25) {
  SessionFixture fixture(client());
  const auto result = fixture.call_peer(tool_call());
  fixture.sent_to_peer();
  fixture.advance(seconds{29});
  EXPECT_FALSE(*result);
  fixture.advance(seconds{2});
  ASSERT_TRUE(*result);
  EXPECT_EQ((**result).error().kind, ErrorKind::timeout);
  EXPECT_EQ(
      fixture.sent_to_peer(),
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"no response before the deadline"}})");
}

TEST(OutgoingRequest, DoesNotCancelInitialize) {
  SessionFixture fixture(client());
  const auto result = fixture.call_peer({.method = "initialize"});
  fixture.sent_to_peer();
  fixture.advance(seconds{31});
  ASSERT_TRUE(*result);
  EXPECT_EQ(fixture.sent_to_peer(), "");
}

TEST(OutgoingRequest, ProgressRestartsTheIdleTimeout) {
  SessionFixture fixture(client());
  auto call = tool_call();
  call.timeouts = {.idle = seconds{30}, .total = seconds{70}};
  double seen = 0;
  call.on_progress = [&](const protocol::ProgressParams& params) { seen = params.progress; };
  const auto result = fixture.call_peer(std::move(call));
  EXPECT_NE(fixture.sent_to_peer().find(R"("_meta":{"progressToken":1})"), std::string::npos);
  for (int step = 1; step <= 3; ++step) {
    fixture.advance(seconds{20});
    fixture.peer_sends(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":)" +
                       std::to_string(step) + "}}");
    EXPECT_FALSE(*result) << step;
  }
  EXPECT_EQ(seen, 3);
  fixture.advance(seconds{11});
  ASSERT_TRUE(*result);  // The total timeout applies in spite of progress.
  EXPECT_EQ((**result).error().kind, ErrorKind::timeout);
}

TEST(OutgoingRequest, FailsWithClosedWhenThePeerDisconnects_S1_17_S1_18) {
  SessionFixture fixture(client());
  const auto pending = fixture.call_peer(tool_call());
  fixture.disconnect("the server exited with status 3");
  ASSERT_TRUE(*pending);
  EXPECT_EQ((**pending).error().kind, ErrorKind::closed);
  EXPECT_EQ((**pending).error().message, "the server exited with status 3");
  const auto later = fixture.call_peer(tool_call());
  ASSERT_TRUE(*later);
  EXPECT_EQ((**later).error().kind, ErrorKind::closed);
}

TEST(OutgoingRequest, FailsWithClosedOnClose) {
  SessionFixture fixture(client());
  const auto pending = fixture.call_peer(tool_call());
  fixture.close();
  ASSERT_TRUE(*pending);
  EXPECT_EQ((**pending).error().kind, ErrorKind::closed);
  EXPECT_TRUE(fixture.ended);
}

TEST(OutgoingRequest, UsesTheAdoptedRevision) {
  SessionFixture fixture(client());
  fixture.session.adopt(protocol::newest(), {.revision = std::string(protocol::newest().name)});
  const auto result = fixture.call_peer(tool_call());
  EXPECT_NE(fixture.sent_to_peer().find("io.modelcontextprotocol/protocolVersion"), std::string::npos);
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}})");
  ASSERT_TRUE(*result);
  EXPECT_EQ((**result)->kind, protocol::ResultKind::input_required);
  EXPECT_EQ((**result)->body.text(), R"({"requestState":"s"})");
}

TEST(OutgoingRequest, IsSentOnTheStreamOfTheRelatedRequest) {
  SessionFixture fixture;
  fixture.service.on_call = [](Call& call) -> Task<Result<Reply>> {
    co_await call.context.peer->notify("notifications/message", json::Payload::trusted(R"({"level":"info","data":1})"));
    co_return co_await call.context.peer->request("roots/list", json::Payload());
  };
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
  EXPECT_EQ(fixture.sent_to_peer(),
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})"
            "\n"
            R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
  EXPECT_EQ(fixture.transport.related[0], jsonrpc::Id("r"));
  EXPECT_EQ(fixture.transport.related[1], jsonrpc::Id("r"));
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"result":{"roots":[]}})");
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":"r","result":{"roots":[]}})");
}

TEST(OutgoingRequest, IsRejectedForStatelessServers) {
  SessionFixture fixture;
  std::optional<Error> refused;
  fixture.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    auto reply = co_await call.context.peer->request("roots/list", json::Payload());
    if (!reply) refused = reply.error();
    co_return Reply{};
  };
  fixture.peer_sends(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->kind, ErrorKind::invalid);
}

std::string hello(const std::string& capabilities) {
  return R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":)" +
         capabilities + R"(,"clientInfo":{"name":"c","version":"1"}}})";
}

/// Answers every tool call with the outcome of a request to its caller.
Task<Result<Reply>> request_from_caller(Call& call, std::string method) {
  if (call.method == "initialize") co_return Reply{.body = json::Payload::trusted("{}")};
  auto answer = co_await call.context.peer->request(std::move(method), json::Payload::trusted("{}"));
  if (!answer) co_return std::unexpected(answer.error());
  co_return answer;
}

TEST(OutgoingRequest, Finding_P6_RejectsRequestForUndeclaredCapability) {
  for (const std::string method : {"elicitation/create", "sampling/createMessage", "roots/list"}) {
    SessionFixture fixture;
    fixture.service.on_call = [method](Call& call) { return request_from_caller(call, method); };
    fixture.peer_sends(hello("{}"));
    fixture.sent_to_peer();
    fixture.peer_sends(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
    const auto answer = fixture.sent_to_peer();
    EXPECT_EQ(answer.find(R"("method":)"), std::string::npos) << answer;
    EXPECT_NE(answer.find(R"("id":"r")"), std::string::npos) << "it is refused at once: " << answer;
    EXPECT_NE(answer.find("did not declare"), std::string::npos) << answer;
  }
}

TEST(OutgoingRequest, Finding_P6_SendsRequestForDeclaredCapability) {
  SessionFixture fixture;
  fixture.service.on_call = [](Call& call) { return request_from_caller(call, "elicitation/create"); };
  fixture.peer_sends(hello(R"({"elicitation":{}})"));
  fixture.sent_to_peer();
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
  EXPECT_NE(fixture.sent_to_peer().find(R"("method":"elicitation/create")"), std::string::npos);
}

TEST(OutgoingRequest, Finding_S14_NestedRequestTimesOutAfterFiveMinutes) {
  SessionFixture fixture;
  fixture.service.on_call = [](Call& call) { return request_from_caller(call, "elicitation/create"); };
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
  fixture.sent_to_peer();
  fixture.advance(seconds(299));
  EXPECT_EQ(fixture.sent_to_peer(), "") << "people may think about it";
  fixture.advance(seconds(2));
  EXPECT_NE(fixture.sent_to_peer().find("the client did not answer elicitation/create within 5m"), std::string::npos);
}

TEST(OutgoingRequest, Finding_S14_NestedRequestTimeoutIsConfigurable) {
  SessionOptions options;
  options.nested_request_timeout = seconds(20);
  SessionFixture fixture(options);
  fixture.service.on_call = [](Call& call) { return request_from_caller(call, "roots/list"); };
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"a"}})");
  fixture.advance(seconds(21));
  EXPECT_NE(fixture.sent_to_peer().find("the client did not answer roots/list within 20s"), std::string::npos);
}

TEST(OutgoingRequest, Finding_S14_PeerWaitDoesNotCountAsIdle) {
  SessionFixture fixture(client());
  auto call = tool_call();
  call.timeouts = {.idle = seconds(30), .total = seconds(300)};
  bool waits = true;
  TimePoint answered = {};
  call.last_peer_wait = [&] { return waits ? fixture.clock.now() : answered; };
  const auto result = fixture.call_peer(std::move(call));
  for (int i = 0; i < 3; ++i) fixture.advance(seconds(29));
  EXPECT_FALSE(*result);
  answered = fixture.clock.now();
  waits = false;
  fixture.advance(seconds(29));
  EXPECT_FALSE(*result) << "the idle time begins with the answer";
  fixture.advance(seconds(2));
  EXPECT_TRUE(*result);
}

TEST(OutgoingRequest, Finding_S14_TotalTimeoutAppliesWhileThePeerWaits) {
  SessionFixture fixture(client());
  auto call = tool_call();
  call.timeouts = {.idle = seconds(30), .total = seconds(60)};
  call.last_peer_wait = [&] { return fixture.clock.now(); };
  const auto result = fixture.call_peer(std::move(call));
  fixture.advance(seconds(31));
  EXPECT_FALSE(*result);
  fixture.advance(seconds(30));
  EXPECT_TRUE(*result);
}

TEST(OutgoingRequest, Finding_S23_ThrottlesLogOfInvalidMessages) {
  SessionFixture fixture(client());
  for (int i = 0; i < 2000; ++i) fixture.transport.deliver(transport::InvalidMessage{});
  fixture.run_ready();
  EXPECT_LE(fixture.log.lines().size(), 20U);
  EXPECT_GE(fixture.log.lines().size(), 1U);
  fixture.advance(std::chrono::minutes(2));
  fixture.transport.deliver(transport::InvalidMessage{});
  fixture.run_ready();
  EXPECT_TRUE(fixture.log.contains("1990 similar lines before this one were suppressed"));
}

}  // namespace
}  // namespace fairlead::session::outgoing_request_test
