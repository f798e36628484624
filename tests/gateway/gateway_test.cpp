#include "client/scripted_server.hpp"
#include "gateway/fixtures/gateway_rig.hpp"

/// A whole gateway applies limits, timeouts and owners that the tests of its parts check one by one.
namespace fairlead::gateway::test::gateway_test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ServerConfig scripted(const std::string& body) {
  ServerConfig server{.name = "script", .command = client::scripted_server(body)};
  server.era = client::EraPreference::handshake;
  return server;
}

std::string request(const std::string& id, const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + "}";
}

TEST(GatewayTest, Finding_S5_AReloadKeepsTheOwnersOfTasks) {
  auto server = scripted(R"(if method == 'initialize':
    result({'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}, 'tasks': {'list': {}}},
            'serverInfo': {'name': 'script', 'version': '1'}})
elif method == 'tools/call': result({'task': {'taskId': 't1', 'status': 'working'}})
elif method == 'tasks/get': result({'taskId': 't1', 'status': 'completed'})
elif 'id' in m: error(-32601, 'Method not found'))");
  GatewayRig rig(server);
  const auto own = rig.open(), other = rig.open();
  EXPECT_THAT(rig.post("/mcp", request("1", "tools/call", R"({"name":"job","task":{}})"), own).body, HasSubstr("t1"));
  server.timeout = 61s;
  ASSERT_TRUE(rig.apply(config_of({server})));
  const auto get = request("2", "tasks/get", R"({"taskId":"t1"})");
  EXPECT_THAT(rig.post("/mcp", get, own).body, HasSubstr("completed"));
  EXPECT_THAT(rig.post("/mcp", get, other).body, HasSubstr("unknown task"));
}

TEST(GatewayTest, Finding_S14_ServerRequestTimeoutEndsARequestToASession) {
  auto config = config_of({child("server")});
  config.server_request_timeout = 100ms;
  GatewayRig rig(config);
  const auto session = rig.open("/mcp", R"({"roots":{}})");
  EXPECT_THAT(rig.post("/mcp", raw_call("1", "ask"), session).body,
              HasSubstr("the client did not answer roots/list within 100ms"));
}

TEST(GatewayTest, Finding_S14_ServerRequestTimeoutEndsACallWhoseClientDoesNotReturn) {
  auto server = child("server");
  server.era = client::EraPreference::handshake;
  auto config = config_of({server});
  config.server_request_timeout = 100ms;
  GatewayRig rig(config);
  const auto response = rig.post(
      "/mcp",
      request("1", "tools/call",
              R"({"name":"ask","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
              R"("io.modelcontextprotocol/clientCapabilities":{"roots":{}}}})"),
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ask\r\n");
  EXPECT_THAT(response.body, HasSubstr("input_required"));
  EXPECT_TRUE(eventually([&] { return rig.state("server").in_flight == 0; }));
}

TEST(GatewayTest, Finding_S14_ServerRequestTimeoutEndsARequestOutsideOfCalls) {
  // The server asks when the file is there: the test creates it after the call has ended.
  const auto signal = testing::TempDir() + "ask_now_" + std::to_string(::getpid());
  auto config = config_of({scripted(R"(if method == 'initialize':
    answered = 'not yet'
    initialized()
elif method == 'tools/call' and m['params']['name'] == 'ask_later':
    result({'content': []})
    while not os.path.exists(')" + signal +
                                    R"('): time.sleep(0.01)
    send({'id': 'q', 'method': 'elicitation/create', 'params': {'message': '?', 'requestedSchema': {}}})
elif method == 'tools/call': result({'content': [{'type': 'text', 'text': answered}]})
elif method is None: answered = 'failed' if 'error' in m else 'answered'
elif 'id' in m: error(-32601, 'Method not found'))")});
  config.server_request_timeout = 100ms;
  GatewayRig rig(config);
  const auto session = rig.open("/mcp", R"({"elicitation":{}})");
  auto stream = rig.connect();
  stream.send_request("GET", "/mcp", "Accept: text/event-stream\r\n" + session);
  EXPECT_EQ(rig.post("/mcp", raw_call("1", "ask_later"), session).status, 200);
  std::ofstream(signal).close();
  stream.until("elicitation/create");
  const auto has_failed = [&] { return rig.post("/mcp", raw_call("2", "answered"), session).body.contains("failed"); };
  EXPECT_TRUE(eventually(has_failed)) << "the client never answers";
  std::filesystem::remove(signal);
}

TEST(GatewayTest, Finding_S15_AForgedViaDoesNotMultiplySessions) {
  GatewayRig rig(child("server"));
  const std::string via = "Via: 1.1 fairlead-forged\r\n";
  const auto hello = request("0", "initialize",
                             R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                             R"("clientInfo":{"name":"raw","version":"1"}})");
  const auto open = [&] {
    const auto answer = rig.post("/mcp", hello, via);
    const auto at = answer.head.find("Mcp-Session-Id: ");
    return at == std::string::npos ? "" : answer.head.substr(at, answer.head.find("\r\n", at) + 2 - at);
  };
  const auto first = open();
  ASSERT_NE(first, "");
  for (std::size_t i = 0; i < VirtualServersByVia::max_sessions_per_server; ++i) ASSERT_NE(open(), "");
  EXPECT_EQ(rig.post("/mcp", request("1", "ping", "{}"), via + first).status, 404);
}

TEST(GatewayTest, Finding_P1_DoesNotDeclareTheTasksExtensionToAServerOfOneCaller) {
  auto server = scripted(R"(if method == 'initialize':
    declared = m['params']['capabilities']
    initialized()
elif method == 'tools/call': result({'content': [{'type': 'text', 'text': ','.join(sorted(declared)) + str(declared.get('extensions'))}]})
elif 'id' in m: error(-32601, 'Method not found'))");
  server.share = Share::caller;
  GatewayRig rig(server);
  const auto session =
      rig.open("/mcp", R"({"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{},"example.com/other":{}}})");
  EXPECT_THAT(rig.post("/mcp", raw_call("1", "declared"), session).body,
              AllOf(HasSubstr("roots"), HasSubstr("example.com/other"), Not(HasSubstr("modelcontextprotocol/tasks"))));
}

TEST(GatewayTest, Finding_P8_DiscoverBeforeTheServerStartsShowsTheExtensionsOfASingleServer) {
  auto server = scripted(R"(if method == 'server/discover':
    result({'supportedVersions': ['2026-07-28'], 'resultType': 'complete', 'ttlMs': 0, 'cacheScope': 'private',
            'capabilities': {'tools': {}, 'extensions': {'io.modelcontextprotocol/skills': {}}},
            '_meta': {'io.modelcontextprotocol/serverInfo': {'name': 'script', 'version': '2'}}})
elif 'id' in m: error(-32601, 'Method not found'))");
  server.era = client::EraPreference::automatic;
  GatewayRig rig(server);
  auto client = rig.client("/mcp", "2026-07-28");
  const auto& extensions = client.async().server().capabilities.extensions;
  ASSERT_TRUE(extensions);
  EXPECT_TRUE(extensions->contains("io.modelcontextprotocol/skills"));
}

}  // namespace
}  // namespace fairlead::gateway::test::gateway_test
