#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/http_test_server.hpp"

/// Client headers that reach a server over HTTP, and those that do not.
namespace fairlead::gateway::test::forwarded_headers_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string echo_call =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
const std::string stateless = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n";

GatewayConfig forwarding_to(const std::string& url, ArgumentList arguments) {
  auto config = config_of({remote("server", url)});
  config.chain = {{.name = "headers", .arguments = std::move(arguments)}};
  return config;
}

TEST(ForwardedHeaders, ReachTheServerUnderTheirConfiguredNamesOnly) {
  HttpTestServer behind;
  GatewayRig rig(forwarding_to(behind.url(), {{"forward", "X-Team"}, {"forward", "X-Client-Key:Authorization"}}));
  const auto answer = rig.post("/mcp", echo_call,
                               stateless +
                                   "x-team: blue\r\nX-Client-Key: Bearer of-ann\r\nAuthorization: planted\r\n"
                                   "Cookie: planted\r\nX-Api-Key: planted\r\n");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_THAT(behind.witness->received(),
              AllOf(HasSubstr("X-Team: blue\n"), HasSubstr("Authorization: Bearer of-ann\n"),
                    Not(HasSubstr("X-Client-Key")), Not(HasSubstr("planted"))));
}

TEST(ForwardedHeaders, AreTakenFromEachRequestOfASession) {
  HttpTestServer behind;
  GatewayRig rig(forwarding_to(behind.url(), {{"forward", "X-Team"}}));
  const auto session = rig.open() + "MCP-Protocol-Version: 2025-11-25\r\n";
  for (const std::string team : {"red", "blue"}) {
    const auto answer =
        rig.post("/mcp", raw_call("1", "echo", R"({"text":"hi"})"), session + "X-Team: " + team + "\r\n");
    EXPECT_THAT(answer.body, HasSubstr("hi"));
    EXPECT_THAT(behind.witness->received(), HasSubstr("X-Team: " + team));
  }
}

TEST(ForwardedHeaders, OfOneServersChainReachThatServerOnly) {
  HttpTestServer one, two;
  auto config = config_of({remote("one", one.url()), remote("two", two.url())});
  config.servers[0].chain = {{.name = "headers", .arguments = {{"forward", "X-Team"}}}};
  GatewayRig rig(config);
  for (const std::string server : {"one", "two"}) {
    const auto answer = rig.post("/s/" + server + "/mcp", echo_call, stateless + "X-Team: planted\r\n");
    EXPECT_EQ(answer.status, 200) << answer.body;
  }
  EXPECT_THAT(one.witness->received(), HasSubstr("X-Team: planted"));
  EXPECT_THAT(two.witness->received(), Not(HasSubstr("planted")));
}

TEST(ForwardedHeaders, AreNotForwardedAfterTheirRemovalFromTheConfiguration) {
  HttpTestServer behind;
  GatewayRig rig(forwarding_to(behind.url(), {{"forward", "X-Team"}}));
  ASSERT_TRUE(rig.apply(config_of({remote("server", behind.url())})));
  EXPECT_EQ(rig.post("/mcp", echo_call, stateless + "X-Team: planted\r\n").status, 200);
  EXPECT_THAT(behind.witness->received(), Not(HasSubstr("planted")));
}

TEST(ForwardedHeaders, AreRedactedInErrorsAndLogs) {
  GatewayRig rig(forwarding_to("http://127.0.0.1:1/mcp", {{"forward", "Authorization"}}));
  const auto answer = rig.post("/mcp", echo_call, stateless + "Authorization: Bearer planted-token\r\n");
  EXPECT_THAT(answer.body, AllOf(HasSubstr("error"), Not(HasSubstr("planted"))));
  EXPECT_FALSE(rig.log().contains("planted"));
}

}  // namespace
}  // namespace fairlead::gateway::test::forwarded_headers_test
