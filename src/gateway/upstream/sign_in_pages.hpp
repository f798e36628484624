#pragma once

#include <fairlead/auth/sign_in.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/http/handler.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/promise.hpp"
#include "gateway/upstream/user_verification.hpp"

namespace fairlead::gateway {

/// Paths of the pages below `listen.base_path`. They need no credentials of the gateway.
inline constexpr std::string_view sign_in_path = "/sign-in";
inline constexpr std::string_view sign_in_start_path = "/sign-in/start";
inline constexpr std::string_view sign_in_verified_path = "/sign-in/verified";
inline constexpr std::string_view sign_in_callback_path = "/sign-in/callback";

struct SignInPageOptions {
  std::string url = {};  ///< Public URL of the gateway with its base path; empty without an HTTP listener.
  /// Returns the principal of an API key; empty if the gateway has no keys.
  std::function<std::optional<std::string>(std::string_view key)> principal_of = {};
  VerifyUser verify_user = {};  ///< Empty if callers do not authenticate with tokens.
};

/// A caller that has to sign in at a server.
struct CallerSignIn {
  std::string principal = {};
  std::string issuer = {};             ///< Of the caller's token; empty if the caller has another credential.
  std::string server = {};             ///< Its configured name.
  std::string authorization_url = {};  ///< Where the browser goes after the start page.
  std::string redirect_uri = {};
};

/// The pages behind the links with which callers sign in to servers (decision 0021). Used on one event loop.
///
/// A login belongs to the caller that got the link. The start page therefore makes sure that its user is this caller,
/// by the caller's key or by a sign-in at the caller's issuer, and the callback accepts the browser of the start page
/// only: otherwise a caller could send the link, or the authorization URL, to another person and use that person's
/// account.
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
    Pending(EventLoop on, CallerSignIn wanted) : loop(std::move(on)), sign_in(std::move(wanted)) {}

    EventLoop loop;
    CallerSignIn sign_in;
    std::shared_ptr<UserVerification> verification = {};  ///< The newest one.
    std::size_t verifications = 0;
    std::string browser = {};  ///< Cookie of the browser that passed the start page.
    Promise<Result<std::string>> returned = {};
  };

  Task<http::Response> start(const http::Request& request);
  http::Response start_with_key(const http::Request& request, Pending& pending) const;
  Task<http::Response> start_verification(std::string cookie, std::shared_ptr<Pending> pending);
  Task<http::Response> verified(const http::Request& request);
  Task<http::Response> finish_verification(std::shared_ptr<Pending> pending, std::string query);
  http::Response begin(std::string cookie, Pending& pending) const;
  http::Response redirect(const std::string& url, const std::string& cookie) const;
  http::Response callback(const http::Request& request);
  bool is_single_user() const;
  bool is_same_origin(const http::Request& request) const;
  std::string cookie_name() const;
  std::string cookie_of(const http::Request& request) const;
  static Task<Result<std::string>> wait(std::shared_ptr<Pending> pending);
  Result<void> make_room(const std::string& principal);

  SignInPageOptions options_;
  bool closed_ = false;
  std::optional<TaskScope> verifications_;                                // Made with the first one.
  std::map<std::string, std::shared_ptr<Pending>, std::less<>> pending_;  // By the id in the link.
};

}  // namespace fairlead::gateway
