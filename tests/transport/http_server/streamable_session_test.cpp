#include <fairlead/transport/streamable_http.hpp>
#include <gtest/gtest.h>

#include "support/mcp_endpoint.hpp"

namespace fairlead::transport::streamable_session_test {
namespace {

using namespace test;

constexpr auto initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
constexpr auto ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

TEST(StreamableSession, S2_33_InitializeReturnsASessionId) {
  McpEndpoint mcp;
  const auto opening =
      mcp.post(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
  EXPECT_EQ(opening->status(), 200);
  EXPECT_EQ(opening->head().content_type, "application/json");
  EXPECT_EQ(opening->body(), R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}})");
  EXPECT_EQ(opening->header("mcp-session-id").size(), 24u);
  EXPECT_EQ(mcp.endpoint().sessions(), 1u);
}

TEST(StreamableSession, S4_08_EveryInitializeGetsItsOwnId) {
  McpEndpoint mcp;
  EXPECT_NE(mcp.open(), mcp.open());
  EXPECT_EQ(mcp.endpoint().sessions(), 2u);
}

TEST(StreamableSession, S2_42_AWholeSequenceFromInitializeToAServerMessage) {
  McpEndpoint mcp;
  mcp.factory().now("tools/list", R"({"tools":[]})");
  const auto session = mcp.open("2025-03-26");
  EXPECT_EQ(mcp.post(initialized, {{"Mcp-Session-Id", session}})->status(), 202);
  EXPECT_EQ(mcp.call(session, "tools/list")->body(), R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})");
  const auto stream = mcp.listen(session);
  mcp.send_to_client(notice("notifications/tools/list_changed"));
  EXPECT_NE(stream->body().find("notifications/tools/list_changed"), std::string::npos);
}

TEST(StreamableSession, S2_14_NotificationsAndResponsesGet202AndNoBody) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  for (const auto* body : {initialized, R"({"jsonrpc":"2.0","id":5,"result":{}})",
                           R"({"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"no"}})"}) {
    const auto sent = mcp.post(body, {{"Mcp-Session-Id", session}});
    EXPECT_EQ(sent->status(), 202);
    EXPECT_EQ(sent->body(), "");
  }
  mcp.loop().poll();
  EXPECT_EQ(mcp.factory().session().received.size(), 4u);
}

TEST(StreamableSession, S2_37_S4_08b_MissingSessionIdIs400) {
  McpEndpoint mcp;
  mcp.open();
  const auto sent = mcp.post(ping);
  EXPECT_EQ(sent->status(), 400);
  EXPECT_EQ(sent->body(), R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":)"
                          R"("Mcp-Session-Id is missing: send initialize first, then the id it returned"}})");
}

TEST(StreamableSession, S2_15_RejectedMessagesAre4xxWithNullId) {
  McpEndpoint mcp;
  const auto sent = mcp.post(initialized);
  EXPECT_EQ(sent->status(), 400);
  EXPECT_NE(sent->body().find(R"("id":null,"error")"), std::string::npos);
}

TEST(StreamableSession, RejectsARequestWithAnIdInUse) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const std::string call = R"({"jsonrpc":"2.0","id":7,"method":"tools/call"})";
  const auto first = mcp.post(call, {{"Mcp-Session-Id", session}});
  const auto second = mcp.post(call, {{"Mcp-Session-Id", session}});
  EXPECT_EQ(second->status(), 400);
  EXPECT_NE(second->body().find("in use by a pending request"), std::string::npos);
  mcp.send_to_client(result(jsonrpc::Id(7)), jsonrpc::Id(7));
  EXPECT_NE(first->body().find(R"("id":7,"result":{})"), std::string::npos);
}

TEST(StreamableSession, S2_38_UnknownSessionIdIs404) {
  McpEndpoint mcp;
  mcp.open();
  for (const auto* name : {"0.AAAAAAAAAAAAAAAAAAAAAA", "", "0.", "x", "1.AAAAAAAAAAAAAAAAAAAAAA"}) {
    const auto sent = mcp.post(ping, {{"Mcp-Session-Id", name}});
    EXPECT_EQ(sent->status(), 404) << name;
    EXPECT_NE(sent->body().find("-32001,\"message\":\"Session not found"), std::string::npos);
  }
}

TEST(StreamableSession, RejectsModifiedSessionIds) {
  McpEndpoint mcp;
  auto session = mcp.open();
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session.substr(0, 23)}})->status(), 404);
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session + "A"}})->status(), 404);
  session.back() = session.back() == 'A' ? 'Q' : 'A';
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session}})->status(), 404);
}

TEST(StreamableSession, TwoSessionIdsAre400) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto sent = mcp.post(ping, {{"Mcp-Session-Id", session}, {"mcp-session-id", session}});
  EXPECT_EQ(sent->status(), 400);
}

TEST(StreamableSession, SessionOfAnotherPrincipalIsNotFound) {
  McpEndpoint mcp;
  mcp.factory().now("ping", "{}");
  const auto session = mcp.open("2025-11-25", "ann");
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session}}, "bob")->status(), 404);
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session}}, "")->status(), 404);
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session}}, "ann")->status(), 200);
  EXPECT_EQ(mcp.factory().session().peer.principal, "ann");
}

TEST(StreamableSession, S4_07_DeleteEndsTheSessionWith200AndThenItIs404) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  EXPECT_EQ(mcp.send("DELETE", {{"Mcp-Session-Id", session}})->status(), 200);
  EXPECT_TRUE(mcp.factory().session().closed);
  EXPECT_FALSE(mcp.factory().session().open);
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session}})->status(), 404);
  EXPECT_EQ(mcp.send("DELETE", {{"Mcp-Session-Id", session}})->status(), 404);
  EXPECT_EQ(mcp.listen(session)->status(), 404);
}

TEST(StreamableSession, S4_26_InitializeCallDelete) {
  McpEndpoint mcp;
  mcp.factory().now("tools/call", R"({"content":[]})");
  const auto session = mcp.open();
  EXPECT_EQ(mcp.call(session, "tools/call")->status(), 200);
  EXPECT_EQ(mcp.send("DELETE", {{"mcp-session-id", session}})->status(), 200);
}

TEST(StreamableSession, S2_41_DeleteIs405IfDisabled) {
  McpEndpoint mcp({.allow_client_termination = false});
  const auto session = mcp.open();
  const auto sent = mcp.send("DELETE", {{"Mcp-Session-Id", session}});
  EXPECT_EQ(sent->status(), 405);
  EXPECT_EQ(sent->header("Allow"), "GET, POST");
}

TEST(StreamableSession, EndedSessionAnswersPendingRequests) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto waiting = mcp.call(session, "slow", 7);
  EXPECT_FALSE(waiting->response_started());
  mcp.send("DELETE", {{"Mcp-Session-Id", session}});
  mcp.loop().poll();
  EXPECT_EQ(waiting->status(), 404);
  EXPECT_NE(waiting->body().find(R"("id":7,"error")"), std::string::npos);
}

TEST(StreamableSession, FailedInitializeLeavesNoSession) {
  McpEndpoint mcp;
  mcp.factory().on("initialize", [](const jsonrpc::Request& request) {
    FakeSessionFactory::Replies replies;
    replies.push_back({jsonrpc::ErrorResponse{request.id, {.code = -32602, .message = "no"}}});
    return replies;
  });
  const auto opening = mcp.post(R"({"jsonrpc":"2.0","id":0,"method":"initialize"})");
  mcp.loop().poll();
  EXPECT_EQ(opening->status(), 200);
  EXPECT_EQ(opening->header("Mcp-Session-Id"), "");
  EXPECT_EQ(mcp.endpoint().sessions(), 0u);
}

TEST(StreamableSession, RejectsInitializeInASession) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto again = mcp.post(R"({"jsonrpc":"2.0","id":0,"method":"initialize"})", {{"Mcp-Session-Id", session}});
  EXPECT_EQ(again->status(), 400);
  EXPECT_EQ(mcp.endpoint().sessions(), 1u);
}

TEST(StreamableSession, InitializeAliasOpensASession) {
  McpEndpoint mcp;
  mcp.factory().on("mcp/initialize", [](const jsonrpc::Request& request) {
    FakeSessionFactory::Replies replies;
    replies.push_back({result(request.id)});
    return replies;
  });
  const auto opening = mcp.post(R"({"jsonrpc":"2.0","id":0,"method":"mcp/initialize"})");
  EXPECT_NE(opening->header("Mcp-Session-Id"), "");
}

TEST(StreamableSession, EvictsTheLongestIdleSession) {
  McpEndpoint mcp({.sessions = {.max_entries = 2}});
  mcp.factory().now("ping", "{}");
  const auto first = mcp.open();
  const auto second = mcp.open();
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", first}})->status(), 200);
  const auto third = mcp.open();
  EXPECT_NE(third, "");
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", second}})->status(), 404);
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", first}})->status(), 200);
}

TEST(StreamableSession, RejectsNewSessionsIfAllAreBusy) {
  McpEndpoint mcp({.sessions = {.max_entries = 1}});
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  const auto refused = mcp.post(R"({"jsonrpc":"2.0","id":0,"method":"initialize"})");
  EXPECT_EQ(refused->status(), 503);
  EXPECT_EQ(refused->header("Retry-After"), "10");
}

TEST(StreamableSession, S4_09_ConcurrentClientsGetTheirOwnResponses) {
  McpEndpoint mcp;
  std::vector<McpEndpoint::ActiveRequest> calls;
  for (std::size_t i = 0; i < 20; ++i) calls.push_back(mcp.call(mcp.open(), "slow", 1));
  // All have the same id; they are answered in reverse order.
  for (std::size_t i = 20; i-- > 0;) mcp.send_to_client(result(1, "{\"who\":" + std::to_string(i) + "}"), 1, i);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(calls[i]->body(), R"({"jsonrpc":"2.0","id":1,"result":{"who":)" + std::to_string(i) + "}}");
  }
}

TEST(StreamableSession, RejectsAnIdInUse) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto first = mcp.call(session, "slow", 1);
  const auto second = mcp.call(session, "slow", 1);
  EXPECT_EQ(second->status(), 400);
  mcp.send_to_client(result(1, R"({"mine":true})"), 1);
  EXPECT_NE(first->body().find("mine"), std::string::npos);
}

TEST(StreamableSession, IdleSessionsExpire) {
  McpEndpoint mcp({.sessions = {.idle = std::chrono::seconds{1}}});
  const auto session = mcp.open();
  mcp.loop().run_until([&] { return mcp.endpoint().sessions() == 0; });
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session}})->status(), 404);
  EXPECT_FALSE(mcp.factory().session().open);
}

TEST(StreamableSession, PrefersTheWorkerOfTheSession) {
  TestLoop loop;
  FakeSessionFactory factory;
  const StreamableHttp endpoint(loop.loop(), 0, factory, {.workers = 4});
  const auto preferred_worker = [&](const char* name) {
    FakeExchange exchange(loop.loop(), "POST", "/mcp", {{"Mcp-Session-Id", name}});
    return endpoint.preferred_worker(exchange.request());
  };
  EXPECT_EQ(preferred_worker("3.AAAA"), 3u);
  EXPECT_FALSE(preferred_worker("4.AAAA"));
  EXPECT_FALSE(preferred_worker("18446744073709551615.AAAA"));
  EXPECT_FALSE(preferred_worker("nonsense"));
}

TEST(StreamableSession, Finding_S7_RejectsRequestsOfAClientThatDoesNotRead) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  mcp.factory().session().backlogged = true;
  const auto sent = mcp.call(session, "tools/list", 9);
  EXPECT_EQ(sent->status(), 503);
  EXPECT_NE(sent->body().find(R"("id":9,"error")"), std::string::npos) << sent->body();
  EXPECT_NE(sent->body().find("Busy"), std::string::npos) << sent->body();
  const auto answer = mcp.post(R"({"jsonrpc":"2.0","id":5,"result":{}})", {{"Mcp-Session-Id", session}});
  EXPECT_EQ(answer->status(), 202);
}

TEST(StreamableSession, Finding_S13_InvalidResponseFailsTheServerRequest) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto before = mcp.factory().session().received.size();
  const auto sent = mcp.post(R"({"jsonrpc":"2.0","id":4,"result":{},"result":{}})", {{"Mcp-Session-Id", session}});
  EXPECT_EQ(sent->status(), 400);
  EXPECT_EQ(mcp.factory().session().received.size(), before + 1);
}

TEST(StreamableSession, Finding_P10_GetWithoutASessionIs405) {
  McpEndpoint mcp;
  const auto sent = mcp.send("GET", {{"Accept", "text/event-stream"}});
  EXPECT_EQ(sent->status(), 405);
  EXPECT_EQ(sent->header("Allow"), "POST");
}

}  // namespace
}  // namespace fairlead::transport::streamable_session_test
