#include <auth/token_issuer.hpp>
#include <fairlead/auth/oauth_check.hpp>

#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/protected_http_server.hpp"

/// Sign-in pages of callers that authenticate with tokens: the page signs its user in at the issuer of the caller.
namespace fairlead::gateway::test::user_verification_test {
namespace {

using auth::TokenIssuer;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string stateless = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n";
const std::string call_echo =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
const std::string gateway_url = "https://tools.example";

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const auto at = text.find(begin);
  if (at == std::string::npos) return {};
  const auto from = at + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

http::ListenOptions listen_for(const TokenIssuer& issuer) {
  auth::OAuthCheckOptions oauth{.resource = gateway_url + "/mcp",
                                .issuers = {{.issuer = "https://auth.example", .jwks_file = issuer.file()}}};
  oauth.open_paths = {std::string(sign_in_start_path), std::string(sign_in_verified_path),
                      std::string(sign_in_callback_path)};
  oauth.now = [] { return TokenIssuer::time(); };
  http::ListenOptions listen;
  listen.access_checks = {auth::OAuthCheck::make(std::move(oauth)).value()};
  listen.authenticated = true;
  return listen;
}

/// An issuer whose answer names its user: `?user=ann`.
Task<Result<std::string>> verify(EventLoop loop, std::string issuer, std::shared_ptr<auth::SignIn> browser) {
  const auto redirect = co_await browser->prepare(loop, std::string());
  auth::SignInRequest request;
  static int count = 0;
  request.url = issuer + "/authorize?state=own-state-" + std::to_string(++count);
  request.redirect_uri = *redirect;
  const auto returned = co_await browser->show(loop, std::move(request));
  if (!returned) co_return std::unexpected(returned.error());
  if (!returned->contains("user=")) co_return fail(ErrorKind::refused, "access_denied");
  co_return between(*returned, "user=", "&");
}

/// The browser of one person.
struct Browser {
  const GatewayRig& rig;
  std::string cookie = {};

  RawAnswer get(const std::string& target) {
    auto raw = rig.connect();
    raw.send_request("GET", target, cookie.empty() ? "" : "Cookie: " + cookie + "\r\n");
    auto answer = raw.answer();
    if (const auto set = between(answer.head, "Set-Cookie: ", ";"); !set.empty()) cookie = set;
    return answer;
  }
};

struct UserVerificationTest : testing::Test {
  UserVerificationTest() {
    rig.on_loop([&] {
      rig.gateway().sign_in_pages().configure({.url = gateway_url, .verify_user = verify});
      return true;
    });
  }

  static GatewayConfig config(const ProtectedHttpServer& behind) {
    auto server = remote("server", behind.url());
    server.auth.oauth = OAuthConfig{.login_owner = LoginOwner::caller};
    return config_of({std::move(server)});
  }
  RawAnswer call() const {
    return rig.post("/mcp", call_echo, stateless + "Authorization: Bearer " + issuer.token() + "\r\n");
  }
  /// The path of the link that ann gets.
  std::string link() const {
    return "/sign-in/start?token=" + between(call().body, "/sign-in/start?token=", "\"").substr(0, 43);
  }
  static std::string state(const RawAnswer& page) { return between(page.head, "state=", "\r\n"); }
  static std::string back(const std::string& state, const std::string& user) {
    return "/sign-in/verified?user=" + user + "&state=" + state;
  }

  ProtectedHttpServer behind;
  TokenIssuer issuer;
  GatewayRig rig{config(behind), listen_for(issuer)};
};

TEST_F(UserVerificationTest, TheCallerIsSentOnToTheServer) {
  Browser ann{rig};
  const auto start = ann.get(link());
  EXPECT_EQ(start.status, 303) << start.body;
  EXPECT_THAT(start.head, HasSubstr("Location: https://auth.example/authorize?state="));
  EXPECT_THAT(start.head, HasSubstr("Set-Cookie: __Host-fairlead-sign-in="));
  EXPECT_THAT(start.head, HasSubstr("; HttpOnly; SameSite=Lax"));
  const auto verified = ann.get(back(state(start), "ann"));
  EXPECT_EQ(verified.status, 303) << verified.body;
  EXPECT_THAT(verified.head, HasSubstr("Location: " + behind.server.url("/authorize?")));
  const auto done = ann.get("/sign-in/callback?code=ann&state=" + between(verified.head, "state=", "&"));
  EXPECT_EQ(done.status, 200) << done.body;
  EXPECT_TRUE(eventually([&] { return call().body.contains("\"hi\""); }));
  EXPECT_THAT(behind.issuer->seen().back(), HasSubstr("secret-token-of-ann"));
}

TEST_F(UserVerificationTest, AttackRefusesAPersonWhoGotTheLinkOfAnother) {
  Browser eve{rig};
  const auto start = eve.get(link());
  const auto refused = eve.get(back(state(start), "eve"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body, HasSubstr("signed in as another user"));
  EXPECT_THAT(refused.head, Not(HasSubstr("Location")));
  EXPECT_EQ(eve.get(back(state(start), "ann")).status, 400) << "one answer for each attempt";
  EXPECT_THAT(behind.issuer->token_requests(), IsEmpty());
}

TEST_F(UserVerificationTest, AttackRefusesTheAnswerInAnotherBrowser) {
  Browser ann{rig};
  const auto start = ann.get(link());
  Browser other{rig};
  EXPECT_EQ(other.get(back(state(start), "ann")).status, 400) << "without the cookie";
  other.cookie = "__Host-fairlead-sign-in=" + std::string(43, 'x');
  EXPECT_EQ(other.get(back(state(start), "ann")).status, 400) << "with another cookie";
  EXPECT_EQ(ann.get(back("another-state", "ann")).status, 400);
  EXPECT_EQ(ann.get("/sign-in/verified?user=ann").status, 400) << "without a state";
  EXPECT_EQ(ann.get(back(state(start), "ann")).status, 303);
}

TEST_F(UserVerificationTest, AttackAnEarlierVisitorOfTheLinkCannotFinish) {
  const auto path = link();
  Browser early{rig};
  const auto first = early.get(path);
  Browser late{rig};
  const auto second = late.get(path);
  EXPECT_NE(state(first), state(second));
  EXPECT_EQ(early.get(back(state(first), "ann")).status, 400);
  EXPECT_EQ(early.get(back(state(second), "ann")).status, 400);
  EXPECT_EQ(late.get(back(state(second), "ann")).status, 303);
  EXPECT_EQ(early.get(path).status, 404) << "the link was used";
}

TEST_F(UserVerificationTest, AttackTheUpstreamCallbackNeedsTheVerification) {
  Browser ann{rig};
  ann.get(link());
  EXPECT_EQ(ann.get("/sign-in/callback?code=ann&state=own-state-1").status, 400);
  EXPECT_THAT(behind.issuer->token_requests(), IsEmpty());
}

TEST_F(UserVerificationTest, ADeniedSignInCanBeRepeated) {
  const auto path = link();
  Browser ann{rig};
  const auto denied = ann.get("/sign-in/verified?error=access_denied&state=" + state(ann.get(path)));
  EXPECT_EQ(denied.status, 403);
  EXPECT_THAT(denied.body, HasSubstr("access_denied"));
  EXPECT_EQ(ann.get(back(state(ann.get(path)), "ann")).status, 303);
}

TEST_F(UserVerificationTest, ALinkIsOpenedTenTimesAtMost) {
  const auto path = link();
  Browser ann{rig};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(ann.get(path).status, 303);
  EXPECT_EQ(ann.get(path).status, 404);
}

TEST_F(UserVerificationTest, EndsWithTheGateway) {
  Browser ann{rig};
  EXPECT_EQ(ann.get(link()).status, 303);
  rig.stop();  // While the user is at the issuer.
}

}  // namespace
}  // namespace fairlead::gateway::test::user_verification_test
