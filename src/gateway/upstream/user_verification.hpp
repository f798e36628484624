#pragma once

#include <fairlead/auth/sign_in.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/promise.hpp"

namespace fairlead::gateway {

/// Signs the user of a browser in at an issuer of `listen.oauth`, on pages that `browser` shows. Returns the principal
/// that the user has as a caller of the gateway.
using VerifyUser =
    std::function<Task<Result<std::string>>(EventLoop loop, std::string issuer, std::shared_ptr<auth::SignIn> browser)>;

/// The parameter of a query; empty if there is none, or if one occurs twice.
std::string parameter_of(std::string_view query, std::string_view name);
/// The parameter `state` of an authorization URL.
std::string state_of(std::string_view url);

/// One attempt to find out who uses a browser. Used on one event loop.
class UserVerification final : public auth::SignIn {
 public:
  /// `cookie` is that of the browser.
  UserVerification(std::string redirect_uri, std::string cookie)
      : redirect_uri_(std::move(redirect_uri)), cookie_(std::move(cookie)) {}

  const std::string& cookie() const { return cookie_; }
  /// Waits for the page of the issuer, or the error that prevents it.
  Task<Result<std::string>> page();
  /// True if a browser with this cookie and state has the answer of the issuer. False after the first answer.
  bool expects(std::string_view cookie, std::string_view state) const;
  /// Takes the query that the browser came back with. Returns the principal of the user.
  Task<Result<std::string>> check(std::string_view query);
  /// The outcome of the sign-in.
  void finish(Result<std::string> principal);
  /// Gives up waiting for the browser.
  void end();

  Task<Result<std::string>> prepare(EventLoop, std::string) override { return Result<std::string>(redirect_uri_); }
  Task<Result<std::string>> show(EventLoop loop, auth::SignInRequest request) override;

 private:
  std::string redirect_uri_;
  std::string cookie_;
  std::string state_;  // Empty until the page is known.
  Promise<Result<std::string>> page_, returned_, principal_;
};

}  // namespace fairlead::gateway
