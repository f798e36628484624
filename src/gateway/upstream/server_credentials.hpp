#pragma once

#include <fairlead/auth/oauth.hpp>
#include <fairlead/session/service.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gateway/config/config.hpp"
#include "gateway/upstream/caller_token.hpp"
#include "gateway/upstream/credential_options.hpp"
#include "gateway/upstream/server_token_source.hpp"
#include "gateway/upstream/sign_in_pages.hpp"

namespace fairlead::gateway {

/// The http or https URL that stands for a server in discovery and logins: `ws://host/mcp`, `sse+http://host/mcp` and
/// `rpc+ws://host/mcp` become `http://host/mcp`. Other texts stay as they are.
std::string sign_in_url(std::string url);

/// The OAuth options of a server, for the gateway and for `fairlead login`. Reads its key file.
Result<auth::OAuthOptions> oauth_options(const ServerConfig& config);

/// What the servers of a gateway share.
struct CredentialServices {
  CredentialOptions options = {};
  std::shared_ptr<auth::CredentialStore> vault = auth::memory_store();  ///< Logins of callers.
  std::shared_ptr<SignInPages> pages = std::make_shared<SignInPages>();
};

/// The credentials of one server: makes the token sources of its connections. Used on one event loop.
class ServerCredentials {
 public:
  /// Null for a server that needs none.
  static Result<std::shared_ptr<ServerCredentials>> make(const ServerConfig& config,
                                                         std::shared_ptr<const CredentialServices> services);

  /// Whether each caller has its own login.
  bool per_caller() const { return per_caller_; }

  /// The token source of all callers or, with per_caller(), of the requests of the gateway itself.
  const std::shared_ptr<auth::TokenSource>& shared() const { return shared_; }

  /// The token source of the caller of `call`.
  std::shared_ptr<auth::TokenSource> of(const session::Call& call);

  /// Refuses callers that cannot have a login of their own, and keeps the caller's current token for exchanges.
  Result<void> admit(const session::Call& call);

 private:
  /// A caller's token source, and the token that it exchanges.
  struct Caller {
    std::shared_ptr<auth::TokenSource> source;
    std::shared_ptr<CallerToken> token;
  };

  ServerCredentials(const ServerConfig& config, auth::OAuthOptions options,
                    std::shared_ptr<const CredentialServices> services);
  std::shared_ptr<auth::TokenSource> make_shared_source() const;
  Caller make_caller(const std::string& principal, CallerToken token) const;
  void remove_unused();
  bool exchanges() const;

  std::string name_;
  std::string command_;
  bool per_caller_ = false;
  auth::OAuthOptions options_;
  std::shared_ptr<const CredentialServices> services_;
  std::shared_ptr<auth::TokenSource> shared_;
  std::map<std::string, Caller> callers_;  // By principal.
};

}  // namespace fairlead::gateway
