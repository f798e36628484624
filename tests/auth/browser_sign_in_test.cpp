#include <cstdlib>
#include <fairlead/auth/credential.hpp>
#include <fairlead/auth/sign_in.hpp>
#include <fairlead/http/client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/test_loop.hpp>

#include "auth/client/callback_listener.hpp"
#include "auth/client/open_browser.hpp"

namespace fairlead::auth::browser_sign_in_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string page = "https://issuer.example/authorize?client_id=c&state=right";

class BrowserSignInTest : public testing::Test {
 protected:
  BrowserSignInTest() {
    options_.open_browser = false;
    options_.print = [this](std::string_view line) { printed_ += std::string(line) + "\n"; };
  }

  Result<std::string> prepare(SignIn& sign_in, std::string preferred = {}) {
    return test_.run(sign_in.prepare(test_.loop(), std::move(preferred)));
  }
  std::uint16_t status_of(const std::string& url, std::string method = "GET") {
    http::Client client(test_.loop());
    http::ClientRequest request{.method = std::move(method), .url = url};
    const auto response = test_.run(client.fetch(std::move(request)));
    return response ? response->status : std::uint16_t{0};
  }

  test::TestLoop test_;
  BrowserOptions options_;
  std::string printed_;
};

TEST_F(BrowserSignInTest, ReturnsTheAnswerWithItsOwnStateOnly) {
  const auto sign_in = browser_sign_in(options_);
  const auto redirect_uri = prepare(*sign_in);
  ASSERT_TRUE(redirect_uri) << redirect_uri.error().message;
  EXPECT_THAT(*redirect_uri, testing::MatchesRegex("http://127.0.0.1:[0-9]+/callback"));
  EXPECT_EQ(status_of(*redirect_uri + "?state="), 400) << "before the page is shown";
  SignInRequest request{.url = page, .redirect_uri = *redirect_uri, .server = "https://tools.example/mcp?key=secret"};
  const auto shown = test_.start(sign_in->show(test_.loop(), request));
  EXPECT_EQ(status_of(*redirect_uri + "?code=x&state=wrong"), 400);
  EXPECT_EQ(status_of(*redirect_uri + "?code=x&state=right&state=right"), 400);
  EXPECT_EQ(status_of(*redirect_uri + "?code=x&state=right", "POST"), 405);
  EXPECT_EQ(status_of(*redirect_uri + "/more?code=x&state=right"), 404);
  EXPECT_FALSE(shown.done());
  EXPECT_EQ(status_of(*redirect_uri + "?code=x&state=right"), 200);
  EXPECT_EQ(test_.finish(shown).value(), *redirect_uri + "?code=x&state=right");
  EXPECT_EQ(status_of(*redirect_uri + "?code=x&state=right"), 0) << "nothing listens any more";
  EXPECT_THAT(printed_, HasSubstr(page));
  EXPECT_THAT(printed_, Not(HasSubstr("secret")));
}

TEST_F(BrowserSignInTest, UsesThePortOfTheEarlierRegistrationIfItIsFree) {
  const auto first = prepare(*browser_sign_in(options_));
  ASSERT_TRUE(first);
  test_.poll();
  const auto sign_in = browser_sign_in(options_);
  EXPECT_EQ(prepare(*sign_in, *first).value(), *first);
  const auto other = prepare(*browser_sign_in(options_), *first);
  ASSERT_TRUE(other) << "its port is taken now";
  EXPECT_NE(*other, *first);
}

TEST_F(BrowserSignInTest, RefusesATakenPortThatWasGiven) {
  const auto sign_in = browser_sign_in(options_);
  const auto first = prepare(*sign_in);
  ASSERT_TRUE(first);
  options_.callback_url = *first;
  const auto refused = prepare(*browser_sign_in(options_));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("cannot wait for the browser at " + *first));
}

TEST_F(BrowserSignInTest, AttackDoesNotOpenOtherUrlsThanWebPages) {
  const auto sign_in = browser_sign_in(options_);
  for (const std::string url : {"file:///etc/passwd", "javascript:alert(1)", "https://issuer.example/\x1b[2J"}) {
    SignInRequest request{.url = url, .redirect_uri = prepare(*sign_in).value()};
    const auto refused = test_.run(sign_in->show(test_.loop(), request));
    ASSERT_FALSE(refused) << url;
    EXPECT_THAT(refused.error().message, HasSubstr("not an http or https URL"));
  }
  EXPECT_THAT(printed_, IsEmpty());
}

TEST_F(BrowserSignInTest, EndsAfterItsTimeout) {
  options_.timeout = std::chrono::milliseconds{30};
  const auto sign_in = browser_sign_in(options_);
  const auto redirect_uri = prepare(*sign_in).value();
  SignInRequest request{.url = page, .redirect_uri = redirect_uri};
  const auto ended = test_.run(sign_in->show(test_.loop(), request));
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, ErrorKind::timeout);
  EXPECT_EQ(status_of(redirect_uri), 0);
}

TEST(CallbackAddressTest, AcceptsHttpOnLoopbackWithAnyPath) {
  EXPECT_EQ(CallbackAddress::parse("http://127.0.0.1/callback").value().port, 0);
  EXPECT_EQ(CallbackAddress::parse("http://localhost:3118/a/b").value().url(), "http://localhost:3118/a/b");
  EXPECT_EQ(CallbackAddress::parse("http://[::1]:80/").value().port, 80);
  for (const auto* url : {"https://127.0.0.1/callback", "http://example.com/callback", "http://127.0.0.1/c?x=1",
                          "http://user@localhost/c", "cursor://callback", ""}) {
    EXPECT_FALSE(CallbackAddress::parse(url)) << url;
  }
}

TEST(BrowserCommandTest, SplitsWordsWithoutAShell) {
  EXPECT_THAT(browser_command("firefox --new-window", false, "https://a.example/?x=1&y=$(id)"),
              ElementsAre("firefox", "--new-window", "https://a.example/?x=1&y=$(id)"));
  EXPECT_THAT(browser_command(" open %s -n ", false, "https://a.example"),
              ElementsAre("open", "https://a.example", "-n"));
  EXPECT_THAT(browser_command("", true, "https://a.example"), ElementsAre("xdg-open", "https://a.example"));
  EXPECT_THAT(browser_command("", false, "https://a.example"), IsEmpty());
}

}  // namespace
}  // namespace fairlead::auth::browser_sign_in_test
