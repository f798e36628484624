#pragma once

#include <chrono>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace fairlead::auth {

/// The authorization URL to show to a user, and what the user should know about it.
struct SignInRequest {
  std::string url = {};           ///< http or https. Contains no secret of the client.
  std::string redirect_uri = {};  ///< Where the browser returns.
  std::string server = {};        ///< URL of the MCP server.
  std::string scope = {};
  std::string user_code = {};  ///< Device flow only: the code to enter at `url`.
};

/// Lets a user sign in. A host with a window implements it.
class SignIn {
 public:
  virtual ~SignIn() = default;

  /// Prepares for the return of the browser, and returns the redirect URI. `preferred` is the one of an earlier
  /// registration, or empty.
  virtual Task<Result<std::string>> prepare(EventLoop loop, std::string preferred) = 0;

  /// Shows the URL and returns the URL that the browser was redirected to, with its query. In the device flow, returns
  /// once the code is shown; the result is ignored.
  virtual Task<Result<std::string>> show(EventLoop loop, SignInRequest request) = 0;
};

using ShowUrl = std::function<Task<Result<std::string>>(EventLoop, SignInRequest)>;

/// Signs in with a function and a fixed redirect URI.
std::shared_ptr<SignIn> sign_in_with(std::string redirect_uri, ShowUrl show);

/// For programs without a user: fails with `cause_sign_in_needed`. `command`, such as `fairlead login`, is the command
/// that signs in; the error tells the user to run it with the URL of the server.
std::shared_ptr<SignIn> no_sign_in(std::string command = {});

struct BrowserOptions {
  /// Redirect URI: http on 127.0.0.1, localhost or [::1], with any path. Without a port, a free one is used.
  std::string callback_url = "http://127.0.0.1/callback";
  bool open_browser = true;          ///< Start $BROWSER, or xdg-open on a desktop. The URL is printed anyway.
  bool paste_from_terminal = false;  ///< Also take the address that the browser was sent to from the terminal (SSH).
  Duration timeout = std::chrono::minutes{5};        ///< For the user to sign in.
  std::function<void(std::string_view)> print = {};  ///< Prints lines for the user; to stderr if empty.
};

/// Signs in with the user's browser: opens the authorization page and waits at a loopback address for its return. Used
/// on one event loop, by any number of sign-ins.
std::shared_ptr<SignIn> browser_sign_in(BrowserOptions options = BrowserOptions());

}  // namespace fairlead::auth
