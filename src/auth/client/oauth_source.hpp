#pragma once

#include <deque>

#include "auth/client/flow.hpp"
#include "base/async_semaphore.hpp"

namespace fairlead::auth {

/// Stops endless sign-ins: at most `most` events in `window`.
class RateBrake {
 public:
  explicit RateBrake(std::size_t most) : most_(most) {}

  /// Counts an event; false if there were too many.
  bool allow() {
    constexpr std::chrono::seconds window{30};
    const auto now = std::chrono::steady_clock::now();
    while (!events_.empty() && now - events_.front() > window) events_.pop_front();
    events_.push_back(now);
    return events_.size() <= most_;
  }
  /// Does not count the last event.
  void undo() { events_.pop_back(); }

 private:
  std::size_t most_;
  std::deque<std::chrono::steady_clock::time_point> events_;
};

/// The token source of oauth(). Changes run one at a time.
class OAuthSource final : public TokenSource, public std::enable_shared_from_this<OAuthSource> {
 public:
  OAuthSource(OAuthOptions options, std::shared_ptr<CredentialStore> store, std::shared_ptr<SignIn> sign_in)
      : options_(std::move(options)),
        store_(std::move(store)),
        sign_in_(std::move(sign_in)),
        version_now_(store_->version_of(key())) {}

  Task<Result<Credential>> get(const EventLoop& loop) override;
  Task<Result<Credential>> refused(EventLoop loop, Challenge why, Credential used) override;
  Error rejected(const Challenge& why) const override;
  /// Signs in, whatever is stored.
  Task<Result<Stored>> sign_in_now(EventLoop loop);

 private:
  StoreKey key() const { return {.server = options_.server, .account = options_.account}; }
  void use(Stored login);
  void forget();
  std::string known_issuer() const { return login_ ? login_->issuer : std::string(); }
  bool is_fresh() const;
  /// Without a user there is no refresh token: an expired token is dropped, and the next challenge gets a new one.
  void drop_expired();
  Credential credential() const;

  Task<Result<Credential>> get_slowly(EventLoop loop);
  Task<Result<void>> load();
  /// True unless another process has changed the stored login, by signing out for example.
  bool is_current() const { return loaded_ && version_now_() == version_; }
  Task<Result<void>> save();
  /// Refreshes in a task of its own, which ends even if the caller is cancelled.
  Task<Result<void>> refresh_once(EventLoop loop, std::string refused_token);
  static Task<Result<void>> refresh_locked(std::shared_ptr<OAuthSource> self, EventLoop loop,
                                           std::string refused_token);
  Task<Result<Discovered>> find(EventLoop loop, Challenge why);
  Task<Result<Credential>> step_up(EventLoop loop, Challenge why);
  Task<Result<Credential>> renew(EventLoop loop, Challenge why, std::string refused_token);
  Task<Result<void>> sign_in(EventLoop loop, Discovered found, Challenge why, std::string scope);
  /// The error of a sign-in that needs a user who is not there: names the command to run, with `scope` if it is set.
  Error sign_in_needed(Error error, const std::string& scope) const;
  std::string scope_for(const Discovered& found, const Challenge& why) const;
  bool wants_dpop(const Discovered& found, const Challenge& why) const;

  OAuthOptions options_;
  std::shared_ptr<CredentialStore> store_;
  std::shared_ptr<SignIn> sign_in_;
  std::function<std::uint64_t()> version_now_;  // Of the stored login.
  AsyncSemaphore turn_{1};
  bool loaded_ = false;
  std::uint64_t version_ = 0;  // Of the stored login when it was read.
  std::optional<Stored> login_;
  std::shared_ptr<DpopProver> prover_;
  std::optional<std::vector<std::string>> auth_methods_;
  std::uint64_t generation_ = 0;
  std::string requested_scope_;
  std::size_t authorizations_ = 0;
  RateBrake tokens_{20}, sign_ins_{5};
};

}  // namespace fairlead::auth
