#include <fairlead/auth/sign_in.hpp>
#include <fairlead/http/client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/test_loop.hpp>

namespace fairlead::auth::attack_callback_page_test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The page that a browser sees after the sign-in, while its address contains the code.
struct AttackCallbackPage : testing::Test {
  AttackCallbackPage() {
    BrowserOptions options;
    options.open_browser = false;
    options.print = [this](std::string_view line) { printed += line; };
    sign_in = browser_sign_in(std::move(options));
    redirect_uri = test.run(sign_in->prepare(test.loop(), {})).value();
    SignInRequest request{.url = "https://issuer.example/authorize?client_id=c&state=right",
                          .redirect_uri = redirect_uri,
                          .server = "https://tools.example/mcp"};
    shown = test.start(sign_in->show(test.loop(), std::move(request)));
  }
  void TearDown() override {
    if (shown.done()) return;
    get("?code=the-code&state=right");
    EXPECT_TRUE(test.finish(shown)) << "a listener that still waits would leak";
  }
  http::ClientResponse get(const std::string& query, std::vector<http::Header> headers = {}) {
    http::Client client(test.loop());
    http::ClientRequest request{.url = redirect_uri + query, .headers = std::move(headers)};
    return test.run(client.fetch(std::move(request))).value();
  }

  test::TestLoop test;
  std::string printed;
  std::shared_ptr<SignIn> sign_in;
  std::string redirect_uri;
  test::Pending<Result<std::string>> shown;
};

TEST_F(AttackCallbackPage, LeaksNoCodeToOtherPages) {
  const auto page = get("?code=the-code&state=right");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.header("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(page.header("Cache-Control"), "no-store");
  EXPECT_EQ(page.header("X-Content-Type-Options"), "nosniff");
  EXPECT_THAT(std::string(page.header("Content-Security-Policy").value_or("")), HasSubstr("default-src 'none'"));
  for (const auto* part : {"the-code", "right", "<script", "http", "src="}) {
    EXPECT_THAT(page.body, Not(HasSubstr(part))) << "nothing of the request, and nothing that loads more";
  }
  EXPECT_TRUE(test.finish(shown));
  EXPECT_FALSE(test.log().contains("the-code"));
  EXPECT_THAT(printed, Not(HasSubstr("the-code")));
}

TEST_F(AttackCallbackPage, RepeatsNothingOfAWrongRequest) {
  const auto page = get("?error=%3Cscript%3Ealert(1)%3C/script%3E&error_description=%3Cb%3E&state=wrong");
  EXPECT_EQ(page.status, 400);
  EXPECT_THAT(page.body, Not(HasSubstr("script")));
  EXPECT_THAT(page.body, Not(HasSubstr("<b>")));
  EXPECT_FALSE(shown.done());
}

TEST_F(AttackCallbackPage, AnswersOnlyToItsOwnName) {
  for (const auto* host : {"evil.example", "127.0.0.1.evil.example"}) {
    EXPECT_EQ(get("?code=the-code&state=right", {{"Host", host}}).status, 403) << host;
  }
  EXPECT_EQ(get("?code=the-code&state=right", {{"Origin", "https://evil.example"}}).status, 403);
  EXPECT_FALSE(shown.done());
}

TEST_F(AttackCallbackPage, AForeignPageCannotEndTheSignIn) {
  for (const auto* query : {"", "?", "?error=access_denied", "?code=x", "?code=x&state=", "?code=x&state=guessed"}) {
    EXPECT_EQ(get(query).status, 400) << query;
  }
  EXPECT_FALSE(shown.done());
  EXPECT_EQ(get("?code=the-code&state=right").status, 200);
  EXPECT_TRUE(test.finish(shown));
}

}  // namespace
}  // namespace fairlead::auth::attack_callback_page_test
