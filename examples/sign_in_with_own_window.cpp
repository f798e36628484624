// A host with a window of its own signs in to a server that requires OAuth. It gives the client a function that shows
// the authorization page and returns the address that the page was redirected to. Pass the URL of such a server to try
// it.
#include <fairlead/auth/oauth.hpp>
#include <fairlead/client.hpp>
#include <iostream>
#include <string>

namespace {

using namespace fairlead;

// Your window: loads the page, and closes as soon as the page navigates to the redirect URI. Here, the user does that.
Task<Result<std::string>> show_page(EventLoop, auth::SignInRequest request) {
  std::cout << "Open " << request.url << "\nand paste the address that the browser shows afterwards:\n";
  std::string address;
  if (!std::getline(std::cin, address)) return fail(ErrorKind::cancelled, "the window was closed");
  return address;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cout << "usage: sign_in_with_own_window <url>\n";
    return 0;
  }
  client::ClientOptions options;
  options.timeouts = {.idle = std::chrono::minutes{5}, .total = std::chrono::minutes{5}};
  options.http.tokens = auth::oauth({.server = argv[1]}, auth::file_store(auth::default_credential_folder()),
                                    auth::sign_in_with("http://127.0.0.1:33418/callback", show_page));
  auto server = connect(argv[1], options);
  for (const auto& tool : server.tools()) std::cout << tool.name << '\n';
}
