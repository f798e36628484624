#include "gateway/upstream/server_credentials.hpp"

#include <fairlead/auth/api_keys.hpp>
#include <fairlead/base/redactor.hpp>

#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/protected_http_server.hpp"

/// Servers that require OAuth.
namespace fairlead::gateway::test::server_credentials_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

const std::string protocol_line = "MCP-Protocol-Version: 2025-11-25\r\n";

ServerConfig with_oauth(std::string url, OAuthConfig oauth = {}) {
  auto server = remote("server", std::move(url));
  server.auth.oauth = std::move(oauth);
  return server;
}

OAuthConfig client_credentials() {
  OAuthConfig oauth{.grant = auth::Grant::client_credentials};
  oauth.client_id = "gateway";
  oauth.client_secret = "very-secret-client";
  return oauth;
}

auth::Stored stored(const std::string& url, const std::string& token) {
  auth::Stored login{.server = url, .issuer = url.substr(0, url.rfind('/')), .token_type = "Bearer"};
  login.access_token = token;
  return login;
}

/// A listener whose callers authenticate as ann or bob.
http::ListenOptions with_keys() {
  http::ListenOptions listen;
  auth::ApiKeyCheckOptions options;
  options.open_paths = {std::string(sign_in_start_path), std::string(sign_in_callback_path)};
  auto check = auth::ApiKeyCheck::make(
      {{"ann", auth::sha256_hex("key-of-ann-000000")}, {"bob", auth::sha256_hex("key-of-bob-000000")}}, options);
  listen.access_checks.push_back(std::make_shared<const auth::ApiKeyCheck>(std::move(*check)));
  listen.authenticated = true;
  return listen;
}

std::string key_line(const std::string& name) {
  return "X-API-Key: key-of-" + name + "-000000\r\n";
}

const std::string echo = R"({"text":"hi"})";

const std::string stateless_echo =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}}}}})";
const std::string stateless = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n";
const std::string plain_echo =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

/// Text between two others.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const auto at = text.find(begin);
  if (at == std::string::npos) return {};
  const auto from = at + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

/// The path and query of the link in a reply.
std::string link_in(const RawAnswer& answer) {
  return "/sign-in/start?token=" +
         between(answer.body, "/sign-in/start?token=", answer.body.contains("&") ? "&" : "\"").substr(0, 43);
}

RawAnswer get(const GatewayRig& rig, const std::string& target, const std::string& lines = "") {
  auto raw = rig.connect();
  raw.send_request("GET", target, lines);
  return raw.answer();
}

/// Opens the link of a reply as a browser does, and signs in as `account` at the server.
RawAnswer sign_in(const GatewayRig& rig, const std::string& link, const std::string& account, bool with_cookie = true) {
  const auto start = get(rig, link);
  EXPECT_EQ(start.status, 303) << start.head << start.body;
  const auto state = between(start.head, "state=", "&");
  const auto cookie = between(start.head, "Set-Cookie: ", ";");
  const auto callback = "/sign-in/callback?code=" + account + "&state=" + state;
  return get(rig, callback, with_cookie ? "Cookie: " + cookie + "\r\n" : "");
}

TEST(ServerCredentials, UseTheLoginOfTheOperatorForAllCallers) {
  ProtectedHttpServer behind;
  behind.issuer->accept("token-of-operator");
  CredentialOptions credentials{.store = auth::memory_store()};
  GatewayRig rig(config_of({with_oauth(behind.url())}), {}, credentials);
  rig.run([](auto store, auto url) -> Task<void> {
    auth::StoreKey key{.server = url};
    co_await store->save(key, stored(url, "token-of-operator"));
  }(credentials.store, behind.url()));
  const auto answer = rig.post("/mcp", plain_echo, stateless);
  EXPECT_THAT(answer.body, HasSubstr("hi"));
  EXPECT_THAT(behind.issuer->seen(), Each("Bearer token-of-operator"));
}

TEST(ServerCredentials, NameTheCommandThatSignsIn) {
  ProtectedHttpServer behind;
  GatewayRig rig(with_oauth(behind.url()));
  const auto answer = rig.post("/mcp", plain_echo, stateless);
  EXPECT_NE(answer.status, 401) << "the challenge of the server is not the gateway's";
  EXPECT_THAT(answer.head, Not(HasSubstr("WWW-Authenticate")));
  EXPECT_THAT(answer.body, AllOf(HasSubstr("sign_in_needed"), HasSubstr("run: fairlead login server")));
  EXPECT_EQ(rig.state("server").state, "failing");
  EXPECT_THAT(rig.state("server").last_error, HasSubstr("run: fairlead login server"));
}

TEST(ServerCredentials, OfAMachineServeManyCallsWithOneToken) {
  ProtectedHttpServer behind;
  GatewayRig rig(with_oauth(behind.url(), client_credentials()));
  std::vector<std::future<RawAnswer>> answers;
  for (int i = 0; i < 20; ++i) {
    answers.push_back(std::async(std::launch::async, [&] { return rig.post("/mcp", plain_echo, stateless); }));
  }
  for (auto& answer : answers) EXPECT_THAT(answer.get().body, HasSubstr("hi"));
  ASSERT_EQ(behind.issuer->token_requests().size(), 1U);
  EXPECT_THAT(behind.issuer->token_requests().front(), HasSubstr("grant_type=client_credentials"));
}

TEST(ServerCredentials, OfAMachineAreRenewedWhenTheyEnd) {
  ProtectedHttpServer behind;
  behind.issuer->set_lifetime(10);  // Less than the margin: expired at once.
  GatewayRig rig(with_oauth(behind.url(), client_credentials()));
  EXPECT_THAT(rig.post("/mcp", plain_echo, stateless).body, HasSubstr("hi"));
  const auto before = behind.issuer->token_requests().size();
  EXPECT_THAT(rig.post("/mcp", plain_echo, stateless).body, HasSubstr("hi"));
  EXPECT_GT(behind.issuer->token_requests().size(), before);
}

TEST(ServerCredentials, OverAWebSocketAreFetchedAfterARefusedHandshake) {
  ProtectedHttpServer behind;
  auto server = with_oauth(behind.server.url("/ws", "ws"), client_credentials());
  GatewayRig rig(server);
  EXPECT_THAT(rig.post("/mcp", plain_echo, stateless).body, HasSubstr("hi"));
}

TEST(ServerCredentials, OfEachCallerAreItsOwn) {
  ProtectedHttpServer behind;
  GatewayRig rig(config_of({with_oauth(behind.url(), {.login_owner = LoginOwner::caller})}), with_keys());
  for (const std::string name : {"ann", "bob"}) {
    const auto refused = rig.post("/mcp", plain_echo, stateless + key_line(name));
    ASSERT_THAT(refused.body, AllOf(HasSubstr("\"isError\":true"), HasSubstr("/sign-in/start?token=")));
    EXPECT_THAT(Redactor().redact(refused.body), Not(HasSubstr(link_in(refused)))) << "as in a debug log";
    const auto page = sign_in(rig, link_in(refused), name);
    EXPECT_EQ(page.status, 200) << page.body;
    EXPECT_TRUE(page.has("Referrer-Policy: no-referrer"));
    EXPECT_TRUE(eventually([&] {
      return rig.post("/mcp", plain_echo, stateless + key_line(name)).body.find("\"hi\"") != std::string::npos;
    }));
    EXPECT_THAT(behind.issuer->seen().back(), HasSubstr("secret-token-of-" + name));
  }
  EXPECT_THAT(rig.post("/mcp", plain_echo, stateless + key_line("ann")).body, HasSubstr("hi"));
  EXPECT_THAT(behind.issuer->seen().back(), HasSubstr("secret-token-of-ann")) << "not that of bob, who came later";
  EXPECT_FALSE(rig.log().contains("secret-token"));
}

TEST(ServerCredentials, OfACallerAreRequestedByUrlElicitation) {
  ProtectedHttpServer behind;
  GatewayRig rig(config_of({with_oauth(behind.url(), {.login_owner = LoginOwner::caller})}), with_keys());
  const auto answer = rig.post("/mcp", stateless_echo, stateless + key_line("ann"));
  EXPECT_THAT(answer.body,
              AllOf(HasSubstr("input_required"), HasSubstr("\"mode\":\"url\""), HasSubstr("/sign-in/start?token=")));
}

TEST(ServerCredentials, AttackRefuseTheBrowserOfAnotherPerson) {
  ProtectedHttpServer behind;
  GatewayRig rig(config_of({with_oauth(behind.url(), {.login_owner = LoginOwner::caller})}), with_keys());
  const auto refused = rig.post("/mcp", plain_echo, stateless + key_line("bob"));
  EXPECT_EQ(sign_in(rig, link_in(refused), "ann", /*with_cookie=*/false).status, 400);
  EXPECT_TRUE(behind.issuer->token_requests().empty());
}

TEST(ServerCredentials, AttackRefuseALinkWithoutTheKeyOfItsCaller) {
  ProtectedHttpServer behind;
  auto listen = with_keys();
  // Otherwise the check of the listener refuses both origins before the page does.
  listen.cors.origins = {"https://tools.example", "https://evil.example"};
  GatewayRig rig(config_of({with_oauth(behind.url(), {.login_owner = LoginOwner::caller})}), std::move(listen));
  rig.on_loop([&] {
    const auto principal_of = [](std::string_view key) {
      return std::optional<std::string>(key == "k" ? "bob" : "ann");
    };
    rig.gateway().sign_in_pages().configure({.url = "https://tools.example", .principal_of = principal_of});
    return true;
  });
  const auto link = link_in(rig.post("/mcp", plain_echo, stateless + key_line("bob")));
  const auto page = get(rig, link);
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, AllOf(HasSubstr("<b>bob</b>"), HasSubstr("name=\"key\"")));
  const auto submit = [&](const std::string& key, const std::string& origin) {
    auto raw = rig.connect();
    raw.send_request("POST", link, "Content-Type: application/x-www-form-urlencoded\r\nOrigin: " + origin + "\r\n",
                     "key=" + key);
    return raw.answer();
  };
  const auto wrong_key = submit("of-ann", "https://tools.example");
  EXPECT_EQ(wrong_key.status, 403);
  EXPECT_THAT(wrong_key.body, HasSubstr("not the key of this user"));
  const auto foreign_page = submit("k", "https://evil.example");
  EXPECT_EQ(foreign_page.status, 403);
  EXPECT_THAT(foreign_page.body, HasSubstr("Enter the key on this page"));
  EXPECT_EQ(submit("k", "https://tools.example").status, 303);
}

TEST(ServerCredentials, OfCallersAreRefusedWithoutAPrincipal) {
  ProtectedHttpServer behind;
  GatewayRig rig(with_oauth(behind.url(), {.login_owner = LoginOwner::caller}));
  const auto answer = rig.post("/mcp", plain_echo, stateless);
  EXPECT_THAT(answer.body, HasSubstr("you did not authenticate to the gateway"));
  EXPECT_THAT(behind.issuer->seen(), testing::IsEmpty());
}

TEST(ServerCredentials, ReplaceTheAuthorizationOfTheClientOnEveryTransport) {
  ProtectedHttpServer behind;
  for (const auto& url : {behind.url(), behind.server.url("/sse"), behind.server.url("/ws", "ws")}) {
    GatewayRig rig(with_oauth(url, client_credentials()));
    const auto answer = rig.post("/mcp", plain_echo, stateless + "Authorization: Bearer planted-by-client\r\n");
    EXPECT_THAT(answer.body, HasSubstr("hi")) << url;
  }
  EXPECT_THAT(behind.issuer->seen(), Each(Not(HasSubstr("planted"))));
  EXPECT_THAT(behind.server.witness->received(), Not(HasSubstr("planted")));
}

TEST(ServerCredentials, DoNotAppearInLogsAndErrors) {
  ProtectedHttpServer behind;
  GatewayRig rig(with_oauth(behind.url(), client_credentials()));
  EXPECT_THAT(rig.post("/mcp", plain_echo, stateless).body, HasSubstr("hi"));
  const auto secrets = Redactor::process_secrets();
  EXPECT_THAT(*secrets,
              AllOf(Contains("very-secret-client"), Contains(testing::StartsWith("secret-token-of-machine"))));
  EXPECT_EQ(Redactor().redact("it was secret-token-of-machine-1."), "it was [redacted].");
  EXPECT_FALSE(rig.log().contains("secret-token"));
  EXPECT_FALSE(rig.log().contains("very-secret"));
}

}  // namespace
}  // namespace fairlead::gateway::test::server_credentials_test
