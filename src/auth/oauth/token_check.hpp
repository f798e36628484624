#pragma once

#include <fairlead/auth/oauth_check.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auth/jose/jose.hpp"
#include "auth/oauth/claims.hpp"
#include "auth/oauth/introspection.hpp"
#include "auth/oauth/issuer_keys.hpp"
#include "auth/oauth/token_cache.hpp"

namespace fairlead::auth {

/// Checks tokens of the trusted issuers: JWTs with the issuer's keys, opaque ones by asking the issuer. Thread-safe.
class TokenCheck {
 public:
  /// `on_key_removed` is called, on any thread, when tokens that were checked before may no longer be valid.
  static Result<std::unique_ptr<TokenCheck>> make(const OAuthCheckOptions& options,
                                                  std::function<void()> on_key_removed);
  TokenCheck(const TokenCheck&) = delete;
  TokenCheck& operator=(const TokenCheck&) = delete;
  ~TokenCheck();

  /// Checks a token for a resource. Nothing if the issuer has to be asked first: call `check_later`.
  std::optional<CheckedToken> check(std::string_view token, const std::string& resource, WallTime now) const;
  /// An error means that the issuer does not answer.
  Task<Result<CheckedToken>> check_later(std::string token, std::string resource) const;

 private:
  struct Issuer {
    ClaimRules rules;
    bool any_typ = false;
    std::unique_ptr<IssuerKeys> keys;
  };

  explicit TokenCheck(const OAuthCheckOptions& options);
  Result<void> add_issuer(const TrustedIssuer& trusted, const OAuthCheckOptions& options,
                          const std::function<void()>& on_key_removed);
  const Issuer* issuer_of(const jose::Token& token) const;
  CheckedToken checked(const Issuer& issuer, const jose::Members& claims, std::string_view json,
                       const std::string& resource, WallTime now, bool introspected) const;
  CheckedToken verify(const Issuer& issuer, std::string_view token, const std::optional<jose::Key>& key,
                      const std::string& resource, WallTime now) const;
  Task<Result<CheckedToken>> introspect(std::string token, std::string resource) const;

  jose::AllowedAlgorithms algorithms_;
  std::function<WallTime()> now_;
  std::unique_ptr<BackgroundWorker> background_;  // Null if all keys are in files.
  std::vector<Issuer> issuers_;
  const Issuer* introspected_ = nullptr;
  std::unique_ptr<TokenIntrospection> introspection_;  // Of `introspected_`; may be null.
};

}  // namespace fairlead::auth
