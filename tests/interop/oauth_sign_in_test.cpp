#include <fairlead/auth/oauth.hpp>

#include "interop/background_process.hpp"
#include "interop/node_script.hpp"
#include "interop/peer.hpp"

namespace fairlead::interop::oauth_sign_in_test {
namespace {

/// Our client signs in to protected servers of the TypeScript SDK. A script of these tests is the user.
struct OAuthSignIn : Peer {
  Client connect_to(const std::string& script) {
    const int port = free_port();
    std::vector<std::string> command{node(), fs::path(FAIRLEAD_INTEROP) / script, std::to_string(port)};
    background.emplace(std::move(command), port);
    const auto url = "http://127.0.0.1:" + std::to_string(port) + "/mcp";
    const auto callback = free_port();
    auto browser = [this, callback](EventLoop, auth::SignInRequest request) -> Task<Result<std::string>> {
      ++sign_ins;
      auto returned = run_node("page_driver.mjs", {request.url, std::to_string(callback)});
      if (returned.empty()) return Result<std::string>(fail(ErrorKind::refused, "the pages did not lead back"));
      returned.pop_back();
      return Result<std::string>(std::move(returned));
    };
    auth::OAuthOptions oauth{.server = url};
    oauth.on_secret = [this](std::string_view secret) { secrets.emplace_back(secret); };
    auto user = auth::sign_in_with("http://127.0.0.1:" + std::to_string(callback) + "/callback", browser);
    options.http.tokens = auth::oauth(std::move(oauth), store, std::move(user));
    return connect(url, options);
  }

  std::optional<Background> background;
  std::shared_ptr<auth::CredentialStore> store = auth::memory_store();
  std::atomic<int> sign_ins = 0;
  std::vector<std::string> secrets;
};

TEST_F(OAuthSignIn, WorksWithTheAuthorizationServerOfTheSdk) {
  auto server = connect_to("sdk_auth_server.mjs");
  EXPECT_EQ(server.call<std::string>("who"), "token 1 mcp:tools");
  EXPECT_EQ(server.call<std::string>("forget"), "forgotten");
  EXPECT_EQ(server.call<std::string>("who"), "token 2 mcp:tools") << "refreshed";
  EXPECT_EQ(sign_ins, 1);
  EXPECT_GE(secrets.size(), 6U) << "verifier, code, two access and two refresh tokens";
}

TEST_F(OAuthSignIn, WorksWithOidcProviderBeforeAServerOfTheSdk) {
  auto server = connect_to("oidc_protected_server.mjs");
  EXPECT_EQ(server.call<std::string>("who"), "ann mcp:read");
  EXPECT_EQ(sign_ins, 1);
}

}  // namespace
}  // namespace fairlead::interop::oauth_sign_in_test
