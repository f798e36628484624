#include <fstream>

#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/http_test_server.hpp"

/// Attacks on a gateway: see docs/security.md.
namespace fairlead::gateway::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

const std::string session_version = "MCP-Protocol-Version: 2025-11-25\r\n";

std::string text_of_answer(const RawAnswer& answer) {
  return std::to_string(answer.status) + " " + answer.body;
}

TEST(GatewayAttack, SeparatesClientsWithEqualIdsOnOneSharedChild) {
  GatewayRig rig(child("server"));
  std::vector<std::thread> clients;
  for (int number = 0; number < 4; ++number) {
    clients.emplace_back([&rig, number] {
      const auto session = rig.open() + session_version;
      for (const std::string id :
           {"0", "\"0\"", "1", "1.0", "1e0", "9223372036854775807", "9223372036854775808", "-1"}) {
        const auto nonce = "nonce-" + std::to_string(number) + "-" + std::to_string(id.size()) + id.substr(0, 1);
        const auto spelled = nonce.find('"') == std::string::npos ? nonce : nonce.substr(0, nonce.find('"'));
        const auto answer = rig.post("/mcp", raw_call(id, "echo", R"({"text":")" + spelled + "\"}"), session);
        EXPECT_THAT(answer.body, AllOf(HasSubstr(spelled), HasSubstr(R"("id":)" + id))) << id;
      }
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(rig.state("server").starts, 1U);
}

TEST(GatewayAttack, ReturnsALongIdUnchanged) {
  GatewayRig rig(child("server"));
  const auto session = rig.open() + session_version;
  const auto id = "\"" + std::string(10'000, 'i') + "\"";
  EXPECT_THAT(rig.post("/mcp", raw_call(id, "echo", R"({"text":"x"})"), session).body, HasSubstr(id));
}

TEST(GatewayAttack, SendsProgressWithEqualTokensToItsOwnRequest) {
  GatewayRig rig(child("server"));
  const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps","arguments":{},)"
                           R"("_meta":{"progressToken":"same"}}})";
  const auto one = rig.open() + session_version;
  const auto two = rig.open() + session_version;
  auto quiet = rig.connect();
  quiet.send_request("POST", "/mcp", GatewayRig::usual + two, raw_call("1", "wait", R"({})"));
  const auto answer = rig.post("/mcp", call, one);
  std::size_t steps = 0;
  for (auto at = answer.body.find("notifications/progress"); at != std::string::npos;
       at = answer.body.find("notifications/progress", at + 1)) {
    ++steps;
  }
  EXPECT_EQ(steps, 3U) << answer.body;
  rig.post("/mcp", R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})", two);
}

TEST(GatewayAttack, CancelsOnlyTheCallersOwnCall) {
  GatewayRig rig(child("server"));
  const auto mine = rig.open() + session_version;
  const auto other = rig.open() + session_version;
  auto waiting = rig.connect();
  waiting.send_request("POST", "/mcp", GatewayRig::usual + mine, raw_call("1", "wait"));
  ASSERT_TRUE(eventually([&] { return rig.state("server").in_flight == 1; }));
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)";
  for (const auto* id : {"1", "2", "3", "4", "5", "\"1\""}) rig.post("/mcp", cancel + id + "}}", other);
  rig.post("/mcp", raw_call("9", "echo", R"({"text":"after"})"), other);
  EXPECT_EQ(rig.state("server").in_flight, 1U);
  rig.post("/mcp", cancel + "1}}", mine);
  EXPECT_TRUE(eventually([&] { return rig.state("server").in_flight == 0; }));
}

TEST(GatewayAttack, RejectsASessionOfAnotherVirtualServer) {
  GatewayRig rig(config_of({child("a"), child("b")}));
  const auto session = rig.open("/s/a/mcp") + session_version;
  const auto call = raw_call("1", "echo", R"({"text":"x"})");
  EXPECT_EQ(rig.post("/s/a/mcp", call, session).status, 200);
  const auto elsewhere = rig.post("/s/b/mcp", call, session);
  const auto made_up =
      rig.post("/s/b/mcp", call, "Mcp-Session-Id: 00000000000000000000000000000000\r\n" + session_version);
  EXPECT_EQ(text_of_answer(elsewhere), text_of_answer(made_up));
  EXPECT_EQ(elsewhere.status, 404);
  EXPECT_EQ(rig.post("/mcp", call, session).status, 404);
}

TEST(GatewayAttack, RejectsForeignOriginsAndHostsOnAllEndpoints) {
  GatewayRig rig(child("server"));
  for (const std::string prefix : {"", "/s/server"}) {
    for (const std::string path : {"/mcp", "/sse", "/messages", "/rpc", "/rpc/stream", "/ws"}) {
      for (const std::string lines : {"Origin: http://evil.example\r\n", "Origin: null\r\n"}) {
        auto raw = rig.connect();
        raw.send_request("POST", prefix + path, GatewayRig::usual + lines, "{}");
        EXPECT_EQ(raw.answer().status, 403) << prefix << path << " " << lines;
      }
      auto raw = rig.connect();
      raw.send("GET " + prefix + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n");
      EXPECT_EQ(raw.answer().status, 403) << prefix << path;
    }
  }
  EXPECT_EQ(rig.state("server").starts, 0U) << "no request started the server";
}

TEST(GatewayAttack, HasNoHttpEndpointThatAddsServers) {
  GatewayRig rig(child("server"));
  const std::string entry = R"({"mcpServers":{"evil":{"command":"touch","args":["/tmp/evil"]}}})";
  for (const std::string path :
       {"/", "/servers", "/s", "/s/evil", "/s/evil/mcp", "/config", "/api/servers", "/admin"}) {
    for (const auto* method : {"POST", "PUT", "PATCH"}) {
      auto raw = rig.connect();
      raw.send_request(method, path, GatewayRig::usual, entry);
      const auto status = raw.answer().status;
      EXPECT_TRUE(status == 404 || status == 405) << method << " " << path << " " << status;
    }
  }
}

TEST(GatewayAttack, RejectsAHeaderThatNamesAnotherToolThanTheBody) {
  HttpTestServer behind;
  GatewayRig rig(remote("server", behind.url()));
  rig.client("/mcp", "2026-07-28").call<std::string>("echo", {{"text", "warm"}});
  const auto before = behind.witness->count();
  const auto answer =
      rig.post("/mcp",
               R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail","arguments":{},)"
               R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
               "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n");
  EXPECT_EQ(answer.status, 400) << answer.body;
  EXPECT_EQ(behind.witness->count(), before);
}

TEST(GatewayAttack, NeverRoutesADuplicateOrDifferentlyCasedName) {
  GatewayRig rig(child("server"));
  const auto session = rig.open() + session_version;
  const auto twice = rig.post("/mcp",
                              R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"die",)"
                              R"("arguments":{"text":"x"}}})",
                              session);
  EXPECT_EQ(twice.status, 400) << twice.body;
  const auto cased = rig.post("/mcp",
                              R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"Name":"die","name":"echo",)"
                              R"("arguments":{"text":"mine"}}})",
                              session);
  EXPECT_THAT(cased.body, HasSubstr("mine"));
  EXPECT_EQ(rig.state("server").starts, 1U) << "the server still runs";
}

TEST(GatewayAttack, RedactsServerSecretsInRepliesAndLogs) {
  server::HttpOptions closed;
  struct Refusing final : http::AccessCheck {
    Task<std::optional<http::Response>> refuse(http::Request& request) const override {
      return http::Response{.status = 401, .body = "no: " + std::string(request.header("Authorization").value_or(""))};
    }
  };
  closed.listen.access_checks.push_back(std::make_shared<Refusing>());
  HttpTestServer behind(closed);
  auto server = remote("server", behind.url());
  server.headers["Authorization"] = "Bearer planted-secret-value";
  GatewayRig rig(server);
  const auto error = failure_of([&] { rig.client().tools(); });
  EXPECT_THAT(error.message + error.data, Not(HasSubstr("planted-secret-value")));
  for (const auto& line : rig.log().lines()) EXPECT_THAT(line.message, Not(HasSubstr("planted-secret-value")));
}

TEST(GatewayAttack, DoesNotSendSecretsToARedirectTarget) {
  HttpTestServer elsewhere;
  server::HttpOptions leading;
  struct Leading final : http::AccessCheck {
    explicit Leading(std::string url) : to(std::move(url)) {}
    Task<std::optional<http::Response>> refuse(http::Request&) const override {
      return http::Response{.status = 307, .headers = {{"Location", to}}};
    }
    std::string to;
  };
  leading.listen.access_checks.push_back(std::make_shared<Leading>(elsewhere.url()));
  HttpTestServer behind(leading);
  auto server = remote("server", behind.url());
  server.headers = {{"Authorization", "Bearer planted-1"}, {"X-Api-Key", "planted-2"}, {"Cookie", "c=planted-3"}};
  GatewayRig rig(server);
  try {
    rig.client().tools();
  } catch (const client::Failure&) {
    // Following the redirect is allowed; sending the secret is not.
  }
  EXPECT_THAT(elsewhere.witness->received(), Not(HasSubstr("planted")));
}

TEST(GatewayAttack, SeparatesTheSecretsOfChildren) {
  auto a = child("a");
  a.env["SECRET_OF_A"] = "planted-a";
  auto b = child("b");
  b.env["SECRET_OF_B"] = "planted-b";
  GatewayRig rig(config_of({a, b}));
  const auto of = [&](const std::string& prefix, const std::string& name) {
    return rig.client("/s/" + prefix + "/mcp").call<std::string>("variable", {{"name", name}});
  };
  EXPECT_EQ(of("a", "SECRET_OF_A"), "planted-a");
  EXPECT_EQ(of("a", "SECRET_OF_B"), "(not set)");
  EXPECT_EQ(of("b", "SECRET_OF_A"), "(not set)");
  const auto pid = rig.state("a").pid;
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
  const std::string words(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(words, Not(HasSubstr("planted"))) << "the secret is not visible in ps";
}

TEST(GatewayAttack, ReportsItselfAsAServerAndServesTheOthers) {
  GatewayRig rig(child("child"));
  auto config = config_of({child("child"), remote("self", rig.url()), remote("socket", rig.url("/ws", "ws"))});
  config.list_timeout = std::chrono::seconds{30};
  ASSERT_TRUE(rig.apply(config));
  auto client = rig.client();
  EXPECT_EQ(client.call<std::string>("echo", {{"text", "hi"}}), "hi");
  for (const auto& tool : client.tools()) EXPECT_THAT(tool.name, Not(HasSubstr("__"))) << "no duplicate tools";
  EXPECT_THAT(failure_of([&] { rig.client("/s/self/mcp"); }).message, HasSubstr("508"));
  EXPECT_THAT(failure_of([&] { rig.client("/s/socket/mcp"); }).message, HasSubstr("508"));
}

TEST(GatewayAttack, RejectsAGatewayThatLeadsBackToItsParent) {
  GatewayRig first(child("child"));
  const auto passed = first.client().call<std::string>("variable", {{"name", "FAIRLEAD_VIA"}});
  ::setenv("FAIRLEAD_VIA", passed.c_str(), 1);
  {
    GatewayRig second(remote("back", first.url()));
    EXPECT_THAT(failure_of([&] { second.client(); }).message, HasSubstr("508"));
  }
  ::unsetenv("FAIRLEAD_VIA");
}

TEST(GatewayAttack, Finding_S2_ClosesTheWebSocketOfARemovedServer) {
  GatewayRig rig(child("server"));
  auto client = client::connect(rig.url("/s/server/ws", "ws"));
  EXPECT_FALSE(client.tools().empty());
  ASSERT_TRUE(rig.apply(config_of({child("other")})));
  EXPECT_THAT(failure_of([&] { client.call("ask"); }).message, Not(testing::IsEmpty()));
}

TEST(GatewayAttack, ForwardsRequestsOfASharedChildToTheRightClientOnly) {
  GatewayRig rig(child("server"));
  const auto roots = [](std::string uri) {
    client::ClientOptions options;
    options.roots = {protocol::Root{.uri = std::move(uri)}};
    return options;
  };
  std::vector<std::thread> clients;
  for (int number = 0; number < 4; ++number) {
    clients.emplace_back([&, number] {
      const auto own = "file:///home/" + std::to_string(number);
      auto client = rig.client("/mcp", number % 2 == 0 ? "2025-11-25" : "2026-07-28", roots(own));
      for (int round = 0; round < 5; ++round) {
        const auto result = client.call("ask");
        ASSERT_EQ(result.content.size(), 1U);
        const auto text = std::get<protocol::TextContent>(result.content.front()).text;
        // A request that cannot be attributed is refused, without data of other clients.
        if (!result.isError.value_or(false)) {
          EXPECT_EQ(text, own);
        }
      }
    });
  }
  for (auto& client : clients) client.join();
}

}  // namespace
}  // namespace fairlead::gateway::test
