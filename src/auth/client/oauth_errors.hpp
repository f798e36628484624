#pragma once

#include <fairlead/auth/credential.hpp>

namespace fairlead::auth {

/// Errors of a token source. Each says what the user can do.
std::unexpected<Error> too_often(std::string_view what);
Error insufficient_scope(const std::string& scope);
/// A new token was refused. `issuer` and `resource` may be empty.
Error token_refused(const std::string& issuer, const std::string& resource);
/// The server has moved to another issuer, where the configured client is not registered.
Error issuer_changed(const std::string& before, const std::string& now);
/// A refresh that failed because the login is gone.
std::unexpected<Error> lost_login(std::string message);

/// True if the user has to sign in again after a failed refresh. False after an error of the network or of an
/// overloaded server: the refresh token may be used again.
bool needs_sign_in(const Error& error);

}  // namespace fairlead::auth
