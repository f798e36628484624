#include <fairlead/auth/api_keys.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/http_server_fixture.hpp"

/// Clients without a key, with a wrong key, or with another principal's session.
namespace fairlead::attack_keys_test {
namespace {

using namespace test;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

http::ListenOptions locked() {
  http::ListenOptions listen;
  listen.access_checks.push_back(std::make_shared<auth::ApiKeyCheck>(
      auth::ApiKeyCheck::make({{"ann", auth::sha256_hex("key-of-ann")}, {"bob", auth::sha256_hex("key-of-bob")}})
          .value()));
  return listen;
}

struct AttackKeysTest : testing::Test {
  AttackKeysTest() {
    rig.app().tool("touch", "", [this] { return ++touched; });
  }

  RawAnswer request_with_key(const std::string& method, const std::string& path, const std::string& lines) {
    const auto all =
        HttpServerFixture::usual + stateless_lines("touch") + lines + (path.starts_with("/ws") ? upgrade : "");
    return rig.send_request(method, path, all, method == "POST" ? stateless_call(1, "touch") : "");
  }

  std::atomic<int> touched = 0;
  HttpServerFixture rig{1, locked()};
};

TEST_F(AttackKeysTest, RejectsEverythingButOneValidKey) {
  const std::vector<std::string> wrong{"",
                                       "Authorization: Bearer\r\n",
                                       "Authorization: Bearer \r\n",
                                       "Authorization: Bearer wrong\r\n",
                                       "Authorization: Bearer key-of-ann2\r\n",
                                       "Authorization: Bearer key-of-an\r\n",
                                       "Authorization: Bearer KEY-OF-ANN\r\n",
                                       "Authorization: Bearer key-of-ann, Bearer key-of-bob\r\n",
                                       "Authorization: Basic YW5uOmtleS1vZi1hbm4=\r\n",
                                       "Authorization: key-of-ann\r\n",
                                       "Authorization: Bearer key-of-ann\r\nAuthorization: Bearer key-of-ann\r\n",
                                       "Authorization: Bearer key-of-ann\r\nAuthorization: Bearer wrong\r\n",
                                       "Authorization: Bearer key-of-ann\r\nX-API-Key: key-of-bob\r\n",
                                       "X-API-Key: \r\n",
                                       "X-API-Key: ann\r\n",
                                       "Authorization: Bearer " + auth::sha256_hex("key-of-ann") + "\r\n",
                                       "Cookie: token=key-of-ann\r\n",
                                       "X-Forwarded-User: ann\r\n",
                                       "X-Principal: ann\r\n",
                                       "secret-api-key: key-of-ann\r\n"};
  for (const auto& [method, path] : mcp_endpoints) {
    for (const auto& lines : wrong) {
      const auto answer = request_with_key(method, path, lines);
      EXPECT_EQ(answer.status, 401) << method << ' ' << path << ' ' << lines;
      EXPECT_THAT(answer.head, HasSubstr("WWW-Authenticate: Bearer"));
    }
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackKeysTest, RejectsKeysInTheQuery) {
  for (const auto* query : {"?token=key-of-ann", "?api_key=key-of-ann", "?access_token=key-of-ann"}) {
    for (const auto& [method, path] : mcp_endpoints) {
      EXPECT_EQ(request_with_key(method, path + query, "").status, 401) << method << ' ' << path << query;
    }
  }
}

TEST_F(AttackKeysTest, RejectsWebSocketUpgradeWithoutKey) {
  const auto refused = rig.send_request("GET", "/ws", upgrade);
  EXPECT_EQ(refused.status, 401);
  EXPECT_THAT(refused.head, Not(HasSubstr("Sec-WebSocket-Accept")));
  EXPECT_EQ(rig.send_request("GET", "/ws", upgrade + "Authorization: Bearer key-of-ann\r\n").status, 101);
}

TEST_F(AttackKeysTest, RejectsPathSpellingTricks) {
  for (const auto* path : {"/MCP", "/mcp/", "//mcp", "/./mcp", "/healthz/../mcp", "/%6dcp", "/healthz%2f..%2fmcp",
                           "/mcp;x", "/healthz;/../mcp", "/healthz/mcp", "/mcp%00", "/healthz\\..\\mcp"}) {
    EXPECT_THAT(request_with_key("POST", path, "").status, AnyOf(400, 401)) << path;
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackKeysTest, PublicEndpointsRevealNothing) {
  for (const auto* path : {"/healthz", "/readyz"}) {
    const auto answer = rig.send_request("GET", path);
    EXPECT_EQ(answer.status, 200);
    EXPECT_LT(answer.body.size(), 64u) << answer.body;
    for (const auto* word : {"rig", "1.0", "ann", "touch", "fairlead"}) {
      EXPECT_THAT(answer.head + answer.body, Not(HasSubstr(word)));
    }
    EXPECT_THAT(rig.send_request("POST", path, HttpServerFixture::usual, stateless_call(1, "touch")).status,
                AnyOf(401, 405));
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackKeysTest, NeverEchoesOrLogsAWrongKey) {
  const auto answer = request_with_key("POST", "/mcp", "Authorization: Bearer planted-secret\r\n");
  EXPECT_THAT(answer.head + answer.body, Not(HasSubstr("planted-secret")));
  request_with_key("POST", "/mcp", "Authorization: Bearer key-of-ann\r\n");
  for (const auto& line : rig.log().lines()) {
    EXPECT_THAT(line.message, Not(HasSubstr("planted-secret")));
    EXPECT_THAT(line.message, Not(HasSubstr("key-of-ann")));
  }
  EXPECT_EQ(touched, 1);
}

TEST_F(AttackKeysTest, AnotherPrincipalsSessionLooksUnknown) {
  const std::string ann = "Authorization: Bearer key-of-ann\r\n";
  const std::string bob = "Authorization: Bearer key-of-bob\r\n";
  const auto session = rig.open("2025-11-25", ann);
  auto made_up = session;
  made_up[made_up.size() - 3] = made_up[made_up.size() - 3] == 'A' ? 'B' : 'A';
  for (const auto* method : {"POST", "GET", "DELETE"}) {
    const auto body = std::string(method) == "POST" ? tool_call(1, "touch") : "";
    const auto theirs = rig.send_request(method, "/mcp", HttpServerFixture::usual + session + bob, body);
    const auto unknown = rig.send_request(method, "/mcp", HttpServerFixture::usual + made_up + bob, body);
    EXPECT_EQ(theirs.status, 404) << method;
    EXPECT_EQ(theirs.status, unknown.status) << method;
    EXPECT_EQ(theirs.body, unknown.body) << method;
  }
  EXPECT_EQ(touched, 0);
  EXPECT_EQ(rig.post("/mcp", tool_call(1, "touch"), session + ann).status, 200);
}

}  // namespace
}  // namespace fairlead::attack_keys_test
