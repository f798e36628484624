#pragma once

#include <fairlead/auth/sign_in.hpp>
#include <fairlead/http/handler.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/promise.hpp"

namespace fairlead::gateway {

/// Paths of the pages below `listen.base_path`. They need no credentials of the gateway.
inline constexpr std::string_view sign_in_path = "/sign-in";
inline constexpr std::string_view sign_in_start_path = "/sign-in/start";
inline constexpr std::string_view sign_in_callback_path = "/sign-in/callback";

struct SignInPageOptions {
  std::string url = {};  ///< Public URL of the gateway with its base path; empty without an HTTP listener.
  /// Returns the principal of an API key; empty if the gateway has no keys.
  std::function<std::optional<std::string>(std::string_view key)> principal_of = {};
};

/// A caller that has to sign in at a server.
struct CallerSignIn {
  std::string principal = {};
  std::string server = {};             ///< Its configured name.
  std::string authorization_url = {};  ///< Where the browser goes after the start page.
  std::string redirect_uri = {};
};

/// The pages behind the links with which callers sign in to servers (decision 0021). Used on one event loop.
///
/// A login belongs to the caller that got the link. The start page therefore makes sure that its user is this caller,
/// and the callback accepts the browser of the start page only: otherwise a caller could send the link, or the
/// authorization URL, to another person and use that person's account.
class SignInPages final : public http::Handler {
 public:
  void configure(SignInPageOptions options) { options_ = std::move(options); }

  /// Ends all sign-ins, waits for their tasks, and refuses new ones.
  Task<void> end_all();

  /// The redirect URI; an error if browsers cannot reach the gateway.
  Result<std::string> callback_url() const;

  /// Waits until the browser returns. Calls `on_link` with the link to the start page first.
  Task<Result<std::string>> wait_for_user(EventLoop loop, CallerSignIn sign_in,
                                          std::function<void(std::string link)> on_link);

  Task<http::Response> handle(http::Request& request) override;

 private:
  struct Pending {
    CallerSignIn sign_in;
    std::string browser = {};  ///< Cookie of the browser that passed the start page.
    Promise<Result<std::string>> returned = {};
  };

  http::Response start(const http::Request& request);
  http::Response begin(const http::Request& request, Pending& pending) const;
  http::Response callback(const http::Request& request);
  bool is_single_user() const;
  bool is_same_origin(const http::Request& request) const;
  std::string cookie_name() const;
  static Task<Result<std::string>> wait(std::shared_ptr<Pending> pending);
  Result<void> make_room(const std::string& principal);

  SignInPageOptions options_;
  bool closed_ = false;
  std::map<std::string, std::shared_ptr<Pending>, std::less<>> pending_;  // By the id in the link.
};

}  // namespace fairlead::gateway
