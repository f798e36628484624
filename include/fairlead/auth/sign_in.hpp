#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <functional>
#include <memory>
#include <string>

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

/// For programs without a user: fails with `cause_sign_in_needed`.
std::shared_ptr<SignIn> no_sign_in();

}  // namespace fairlead::auth
