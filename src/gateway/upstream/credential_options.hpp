#pragma once

#include <fairlead/auth/credential_store.hpp>
#include <fairlead/auth/sign_in.hpp>
#include <memory>

namespace fairlead::gateway {

/// How the gateway signs in to servers that require OAuth.
struct CredentialOptions {
  std::shared_ptr<auth::CredentialStore> store = {};  ///< Keeps the logins; in memory if empty.
  std::shared_ptr<auth::SignIn> sign_in = {};         ///< Shows authorization pages to a user; none if empty.
  /// Sign in to servers that have neither an `auth` block nor a configured Authorization header.
  bool automatic = false;
};

}  // namespace fairlead::gateway
