#pragma once

#include <fairlead/auth/oauth.hpp>
#include <fairlead/base/debug_options.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/named_server.hpp"
#include "cli/server_options.hpp"
#include "gateway/upstream/credential_options.hpp"

/// The logins of the user at servers that require OAuth.
namespace fairlead::cli {

/// The store of all commands: the helper program that FAIRLEAD_CREDENTIAL_HELPER names, or files.
std::shared_ptr<auth::CredentialStore> user_store();
/// Where user_store() keeps logins, for people.
std::string user_store_place();

/// Fails with the command that the user must run.
std::shared_ptr<auth::SignIn> sign_in_by_command();

/// What a server at a URL needs for a sign-in: its URL, its OAuth settings and TLS. The error is for the user.
Result<auth::OAuthOptions> sign_in_options(const ChosenServer& server, const UrlOptions& at);

/// Lets requests use the user's login, unless an Authorization is configured: then OAuth never starts. If there is no
/// login, the error of a request names the command to run.
void use_login(transport::HttpClientOptions& http, auth::OAuthOptions options);
/// The same for a configured server, if it has an http(s) URL.
void use_login(transport::HttpClientOptions& http, const gateway::ServerConfig& server);

/// True if the server has an http(s) URL and no configured Authorization.
bool may_sign_in(const gateway::ServerConfig& server);
/// True if the server refuses requests without a token, has no configured Authorization, and there is no login for it.
bool requires_sign_in(const gateway::ServerConfig& server, const auth::OAuthOptions& options, ProgramLog& log);

/// True for an error that a sign-in can resolve.
bool needs_sign_in(const Error& error);

/// True if a user at the terminal can be asked to sign in.
bool has_terminal();

/// True unless tokens of the server are issued without a user.
bool has_user(const auth::OAuthOptions& options);

/// Where the browser returns to: the configured address, or any port of this machine.
auth::BrowserOptions browser_options(const ChosenServer& server);

/// Signs in with a browser on an event loop of its own.
Result<auth::Stored> sign_in_with_browser(auth::OAuthOptions options, auth::BrowserOptions browser, ProgramLog& log);

/// Signs in on the terminal after an error for which needs_sign_in() is true, with the scopes that it names.
Result<auth::Stored> sign_in_again(const ChosenServer& server, auth::OAuthOptions options, const Error& error,
                                   ProgramLog& log);

/// How gateways of this program sign in: with the logins of the user.
gateway::CredentialOptions gateway_credentials(std::shared_ptr<auth::SignIn> sign_in);

/// A login as shown to the user: without tokens. A member of the JSON document.
struct LoginReport {
  std::string server = {};
  std::string account = {};
  std::string issuer = {};
  std::string subject = {};  ///< Of the ID token or the access token; empty if it is not readable.
  std::string client_id = {};
  std::vector<std::string> scopes = {};
  std::optional<std::int64_t> expires_in = {};  ///< Seconds; negative once it has expired.
  bool renewable = false;                       ///< There is a refresh token.
  bool dpop = false;
  std::string kept_in = {};
};
LoginReport report_of(const auth::Stored& login);
std::string to_text(const LoginReport& report);

/// One line about the login at a server, such as `signed in as ann, valid: 54m more`; nothing without a login.
std::optional<std::string> login_line(const std::vector<auth::Stored>& logins, const std::string& url,
                                      const std::string& account = {});
/// The same for a configured server. Names the command to run if the server needs a login that is missing.
std::optional<std::string> login_line(const std::vector<auth::Stored>& logins, const gateway::ServerConfig& server);

}  // namespace fairlead::cli
