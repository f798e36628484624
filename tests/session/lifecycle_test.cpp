#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

/// Negotiation of the revision.
namespace fairlead::session::lifecycle_test {
namespace {

std::string stateless(int id, const std::string& method, const std::string& version = "2026-07-28") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":")" + version +
         R"(","io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}}})";
}

std::string initialize(const std::string& version) {
  return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" + version +
         R"(","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})";
}

constexpr auto list = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";

TEST(RevisionNegotiation, NegotiatesByInitialize) {
  SessionFixture fixture;
  std::string served;
  fixture.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    served = call.context.revision->name;
    EXPECT_TRUE(call.context.caller->capabilities.roots);
    EXPECT_EQ(call.context.caller->info->name, "c");
    co_return Reply{};
  };
  fixture.peer_sends(initialize("2025-06-18"));
  EXPECT_EQ(served, "2025-06-18");
  fixture.peer_sends(list);
  EXPECT_EQ(served, "2025-06-18");
  EXPECT_EQ(fixture.session.revision()->name, "2025-06-18");
}

TEST(RevisionNegotiation, AcceptsMinimalInitialize_S0_11) {
  SessionFixture fixture;
  fixture.peer_sends(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}})");
  EXPECT_NE(fixture.sent_to_peer().find("\"result\""), std::string::npos);
}

TEST(RevisionNegotiation, AssumesARevisionIfNoneIsNamed) {
  SessionFixture fixture;
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
  EXPECT_EQ(fixture.session.revision()->name, "2025-03-26");
}

TEST(RevisionNegotiation, ServesStatelessRequests) {
  SessionFixture fixture;
  fixture.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    EXPECT_EQ(call.context.revision->name, "2026-07-28");
    EXPECT_TRUE(call.context.caller->capabilities.sampling);
    EXPECT_EQ(call.params.text(), "{}");
    co_return Reply{.body = json::Payload::trusted(R"({"tools":[]})")};
  };
  fixture.peer_sends(stateless(1, "tools/list"));
  EXPECT_EQ(
      fixture.sent_to_peer(),
      R"({"jsonrpc":"2.0","id":1,"result":{"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}})");
}

TEST(RevisionNegotiation, DiscoverDecidesNothing) {
  SessionFixture fixture;
  fixture.peer_sends(stateless(1, "server/discover"));
  EXPECT_NE(fixture.sent_to_peer().find("resultType"), std::string::npos);
  fixture.peer_sends(initialize("2025-11-25"));
  EXPECT_EQ(fixture.sent_to_peer().find("error"), std::string::npos);
}

TEST(RevisionNegotiation, RejectsInitializeAfterStatelessRequests) {
  SessionFixture fixture;
  fixture.peer_sends(stateless(1, "tools/list"));
  fixture.sent_to_peer();
  fixture.peer_sends(initialize("2025-11-25"));
  EXPECT_NE(fixture.sent_to_peer().find(R"("code":-32022)"), std::string::npos);
}

TEST(RevisionNegotiation, ErrorNamesSupportedRevisions) {
  SessionFixture fixture;
  fixture.peer_sends(stateless(1, "tools/list", "1999-01-01"));
  EXPECT_EQ(fixture.sent_to_peer(),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version",)"
            R"("data":{"supported":["2026-07-28"],"requested":"1999-01-01"}}})");
}

TEST(RevisionNegotiation, RejectsMethodsOfOtherRevisions) {
  SessionFixture fixture;
  fixture.peer_sends(stateless(1, "logging/setLevel"));
  EXPECT_NE(fixture.sent_to_peer().find("-32601"), std::string::npos);
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{}})");
  EXPECT_NE(fixture.sent_to_peer().find("-3260"), std::string::npos);
}

TEST(RevisionNegotiation, PassesExtensionMethods) {
  SessionFixture fixture;
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"method":"vendor/thing","params":{}})");
  EXPECT_EQ(fixture.service.calls, std::vector<std::string>{"vendor/thing"});
}

TEST(RevisionNegotiation, StrictPolicyRequiresInitialize_S3_05) {
  SessionFixture fixture({.handshake = HandshakePolicy::strict});
  fixture.peer_sends(list);
  EXPECT_EQ(
      fixture.sent_to_peer(),
      R"({"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"Invalid Request","data":"send initialize before tools/list"}})");
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":3,"result":{}})");
  fixture.peer_sends(initialize("2025-11-25"));
  fixture.sent_to_peer();
  fixture.peer_sends(list);
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST(RevisionNegotiation, LenientPolicyNeedsNoInitialize_S3_04) {
  SessionFixture fixture;
  fixture.peer_sends(list);
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST(RevisionNegotiation, AcceptsMethodAliases_S4_02_S4_17) {
  SessionFixture fixture({.handshake = HandshakePolicy::strict});
  std::string spelled;
  fixture.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    spelled = call.context.original_method + " " + call.method;
    co_return Reply{};
  };
  fixture.peer_sends(R"({"jsonrpc":"2.0","method":"mcp/discover","id":1})");
  EXPECT_EQ(spelled, "mcp/discover server/discover");
  fixture.peer_sends(R"({"jsonrpc":"2.0","method":"mcp/initialize","id":2,"params":{}})");
  EXPECT_EQ(spelled, "mcp/initialize initialize");
  EXPECT_EQ(fixture.session.dialect(), protocol::ErrorDialect::jsonrpc);
}

}  // namespace
}  // namespace fairlead::session::lifecycle_test
