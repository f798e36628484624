#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/http_test_server.hpp"

/// Complaints about other gateways: clients that connect and disconnect. Numbers are rows of the list in
/// docs/gateway.md.
namespace fairlead::gateway::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string session_revision = "MCP-Protocol-Version: 2025-11-25\r\n";

TEST(ComplaintClients, Complaint_02_ServesSecondAndReturningClients) {
  GatewayRig rig(child("server"));
  for (const std::string path : {"/mcp", "/sse", "/ws"}) {
    std::optional<client::Client> first = rig.client(path);
    auto second = rig.client(path);
    EXPECT_EQ(first->call<std::string>("echo", {{"text", "1"}}), "1") << path;
    EXPECT_EQ(second.call<std::string>("echo", {{"text", "2"}}), "2") << path;
    first.reset();
    EXPECT_EQ(second.call<std::string>("echo", {{"text", "3"}}), "3") << path;
    first.emplace(rig.client(path));
    EXPECT_EQ(first->call<std::string>("echo", {{"text", "4"}}), "4") << path;
  }
  EXPECT_EQ(rig.state("server").starts, 1U) << "all use one process";
}

TEST(ComplaintClients, Complaint_03_ADisconnectAfterAnyByteDoesNotAffectOthers) {
  GatewayRig rig(child("server"));
  const auto session = rig.open();
  auto other = rig.client();
  other.call<std::string>("echo", {{"text", "before"}});
  const auto body = raw_call("5", "wait");
  const std::string request = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(rig.port()) + "\r\n" +
                              GatewayRig::usual + session + session_revision +
                              "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  for (std::size_t size = 0; size <= request.size(); ++size) {
    auto vanishing = rig.connect();
    vanishing.send(std::string_view(request).substr(0, size));
    vanishing.disconnect();
    if (size % 16 != 0) continue;
    EXPECT_EQ(other.call<std::string>("echo", {{"text", "still"}}), "still") << size;
  }
  EXPECT_EQ(other.call<std::string>("echo", {{"text", "after"}}), "after");
  EXPECT_EQ(rig.state("server").starts, 1U);
}

TEST(ComplaintClients, Complaint_06_AnswersAnUnknownSessionWith404) {
  GatewayRig rig(child("server"));
  const std::string unknown = "Mcp-Session-Id: 0123456789abcdef0123456789abcdef\r\n" + session_revision;
  const auto call = raw_call("1", "echo", R"({"text":"x"})");
  EXPECT_EQ(rig.post("/mcp", call, unknown).status, 404);
  EXPECT_EQ(rig.post("/s/server/mcp", call, unknown).status, 404);
  for (const auto* method : {"GET", "DELETE"}) {
    auto raw = rig.connect();
    raw.send_request(method, "/mcp", "Accept: text/event-stream\r\n" + unknown);
    EXPECT_EQ(raw.answer().status, 404) << method;
  }
  EXPECT_EQ(rig.post("/mcp", call, session_revision).status, 400) << "a missing session id is another error";
}

TEST(ComplaintClients, Complaint_07_ANewStreamReplacesTheOldOneOfASession) {
  GatewayRig rig(child("server"));
  const auto session = rig.open() + session_revision + "Accept: text/event-stream\r\n";
  auto first = rig.connect();
  first.send_request("GET", "/mcp", session);
  EXPECT_THAT(first.until("\r\n\r\n"), HasSubstr(" 200 "));
  auto second = rig.connect();
  second.send_request("GET", "/mcp", session);
  EXPECT_THAT(second.until("\r\n\r\n"), HasSubstr(" 200 "));
  EXPECT_THAT(first.until("0\r\n\r\n"), testing::EndsWith("0\r\n\r\n")) << "ended cleanly";
  EXPECT_EQ(rig.post("/mcp", raw_call("1", "echo", R"({"text":"x"})"), session_revision + session).status, 200);
}

std::string stateless(const std::string& params) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{)"
         R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{"roots":{}}},)" +
         params + "}}";
}

std::string stateless_head(const std::string& tool) {
  return "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n";
}

TEST(ComplaintClients, Complaint_08_AnyReplicaServesStatelessClients) {
  HttpTestServer behind;
  GatewayRig one(remote("server", behind.url()));
  GatewayRig two(remote("server", behind.url()));
  const std::string asking = R"("name":"ask","arguments":{})";
  const auto first_round = one.post("/mcp", stateless(asking), stateless_head("ask"));
  ASSERT_THAT(first_round.body, AllOf(HasSubstr("input_required"), HasSubstr("roots/list")));
  const auto begin = first_round.body.find(R"("requestState":)");
  ASSERT_NE(begin, std::string::npos) << first_round.body;
  const auto state = first_round.body.substr(begin, first_round.body.find('"', begin + 16) + 1 - begin);
  const auto key_begin = first_round.body.find(R"("inputRequests":{")") + 18;
  const auto key = first_round.body.substr(key_begin, first_round.body.find('"', key_begin) - key_begin);
  const auto answer = R"(,"inputResponses":{")" + key + R"(":{"roots":[{"uri":"file:///home"}]}},)" + state;
  EXPECT_THAT(two.post("/mcp", stateless(asking + answer), stateless_head("ask")).body, HasSubstr("file:///home"));
}

TEST(ComplaintClients, Complaint_08_AnswersASessionOfAnotherReplicaWith404) {
  HttpTestServer behind;
  GatewayRig one(remote("server", behind.url()));
  GatewayRig two(remote("server", behind.url()));
  const auto session = one.open() + session_revision;
  const auto call = raw_call("1", "echo", R"({"text":"x"})");
  EXPECT_EQ(one.post("/mcp", call, session).status, 200);
  EXPECT_EQ(two.post("/mcp", call, session).status, 404);
}

}  // namespace
}  // namespace fairlead::gateway::test
