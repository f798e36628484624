#include <cstdlib>
#include <fairlead/base/asio_task.hpp>

#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/http_test_server.hpp"
#include "support/certificates.hpp"
#include "support/tunnel_proxy.hpp"

/// Complaints about other gateways: connections to servers. Numbers are rows of the list in docs/gateway.md.
namespace fairlead::gateway::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ComplaintUpstream, Complaint_05_InitializesAgainWhenTheServerForgotTheSession) {
  HttpTestServer behind;
  auto server = remote("server", behind.url());
  server.revision = "2025-11-25";
  GatewayRig rig(server);
  auto client = rig.client();
  EXPECT_EQ(client.call<std::string>("echo", {{"text", "before"}}), "before");
  behind.restart();
  EXPECT_EQ(client.call<std::string>("echo", {{"text", "after"}}), "after");
  EXPECT_EQ(client.tools().size(), 5U);
}

TEST(ComplaintUpstream, Complaint_05_DoesNotRepeatACallInFlightWhenTheServerLeft) {
  HttpTestServer behind;
  std::atomic<int> begun = 0;
  behind.app.tool("once", "Never answers", [&begun]() -> Task<std::string> {
    ++begun;
    boost::asio::steady_timer never(co_await this_task::executor, boost::asio::steady_timer::time_point::max());
    co_await never.async_wait(use_task);
    co_return "never";
  });
  auto server = remote("server", behind.url());
  server.revision = "2025-11-25";
  GatewayRig rig(server);
  auto client = rig.client();
  Error error;
  std::thread caller([&] { error = failure_of([&] { client.call("once"); }); });
  EXPECT_TRUE(eventually([&] { return begun == 1; }));
  behind.restart();
  caller.join();
  EXPECT_THAT(error.message, HasSubstr("is unknown"));
  EXPECT_EQ(client.call<std::string>("echo", {{"text", "after"}}), "after");
  EXPECT_EQ(begun, 1);
}

TEST(ComplaintUpstream, Complaint_22_DoesNotForwardClientCredentialsToAServer) {
  HttpTestServer behind;
  auto server = remote("server", behind.url());
  server.headers["X-Configured"] = "for-the-server";
  GatewayRig rig(server);
  const std::string shown =
      "Authorization: Bearer planted-token\r\nCookie: session=planted-cookie\r\nProxy-Authorization: Basic planted\r\n"
      "X-Forwarded-For: planted.example\r\nForwarded: for=planted\r\nX-Api-Key: planted-key\r\n"
      "X-Configured: planted-other\r\nBaggage: planted=1\r\n";
  const auto answer =
      rig.post("/mcp",
               R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},)"
               R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
               shown + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_THAT(behind.witness->received(), AllOf(HasSubstr("X-Configured: for-the-server"), Not(HasSubstr("planted"))));
}

TEST(ComplaintUpstream, Complaint_30_ServesAllTransportsBelowTheBasePath) {
  auto config = config_of({child("server")});
  config.listen.base_path = "/tools";
  GatewayRig rig(config);
  for (const std::string path :
       {"/tools/mcp", "/tools/sse", "/tools/ws", "/tools/s/server/mcp", "/tools/s/server/sse"}) {
    EXPECT_EQ(rig.client(path).call<std::string>("echo", {{"text", path}}), path);
  }
  auto raw = rig.connect();
  raw.send_request("GET", "/tools/sse", "Accept: text/event-stream\r\n");
  EXPECT_THAT(raw.until("\n\n"), HasSubstr("data: /tools/messages")) << "a path, which works behind a proxy";
  EXPECT_EQ(rig.post("/mcp", "{}").status, 404);
}

TEST(ComplaintUpstream, Complaint_30_TrustsAConfiguredPrivateCa) {
  fairlead::test::Certificates certificates;
  certificates.add("server", "server", "IP:127.0.0.1");
  server::HttpOptions options;
  options.listen.tls = http::TlsServerOptions{.certificate_file = certificates.certificate("server"),
                                              .key_file = certificates.key("server")};
  HttpTestServer behind(options);
  auto trusting = remote("trusting", behind.url("/mcp", "https"));
  trusting.cacert = certificates.ca();
  GatewayRig rig(config_of({trusting, remote("other", behind.url("/mcp", "https"))}));
  EXPECT_EQ(rig.client("/s/trusting/mcp").call<std::string>("echo", {{"text", "hi"}}), "hi");
  EXPECT_THAT(failure_of([&] { rig.client("/s/other/mcp").tools(); }).message, HasSubstr("certificate"));
}

TEST(ComplaintUpstream, Complaint_30_UsesAnHttpProxyWithoutExposingContent) {
  fairlead::test::Certificates certificates;
  certificates.add("far", "far", "DNS:far.example");
  server::HttpOptions options;
  options.listen.tls =
      http::TlsServerOptions{.certificate_file = certificates.certificate("far"), .key_file = certificates.key("far")};
  options.listen.host_origin.hosts = {"far.example"};
  HttpTestServer behind(options);
  fairlead::test::TunnelProxy proxy(behind.port());
  ::setenv("https_proxy", ("http://127.0.0.1:" + std::to_string(proxy.port())).c_str(), 1);
  {
    // The proxy handles one connection at a time; Streamable HTTP would open a second one.
    auto server = remote("server", "rpc+https://far.example/rpc");
    server.cacert = certificates.ca();
    server.headers["Authorization"] = "Bearer planted-secret";
    GatewayRig rig(server);
    EXPECT_EQ(rig.client().call<std::string>("echo", {{"text", "hi"}}), "hi");
    EXPECT_THAT(proxy.received(), AllOf(HasSubstr("CONNECT far.example:443"), Not(HasSubstr("planted-secret"))));
  }
  ::unsetenv("https_proxy");
}

}  // namespace
}  // namespace fairlead::gateway::test
