#include "gateway/config/validate_auth.hpp"

#include <algorithm>
#include <array>
#include <fairlead/auth/oauth.hpp>
#include <fmt/format.h>

#include "gateway/config/config_checks.hpp"
#include "gateway/config/enum_names.hpp"
#include "http/address.hpp"
#include "http/url.hpp"

namespace fairlead::gateway {
namespace {

using auth::Grant;

bool is_any_of(Grant grant, std::initializer_list<Grant> grants) {
  return std::ranges::find(grants, grant) != grants.end();
}

bool is_this_machine(const std::string& host) {
  return host == "localhost" || http::is_loopback(host);
}

/// Secrets and codes are sent there: encrypted, or without leaving this machine.
bool is_protected_url(const std::string& text) {
  const auto url = http::parse_url(text);
  return url && (url->scheme == "https" || (url->scheme == "http" && is_this_machine(url->host)));
}

class AuthValidator : ConfigChecks {
 public:
  using ConfigChecks::ConfigChecks;

  void run() {
    each_server([this](const ServerConfig& server, const std::string& key_path) {
      if (!server.auth.oauth || server.url.empty()) return;
      path_ = config::below(config::below(key_path, "auth"), "oauth");
      check_server(server, key_path);
      check_client(*server.auth.oauth);
      check_grant(*server.auth.oauth);
      check_owner(*server.auth.oauth);
      check_urls(*server.auth.oauth);
    });
    const auto& vault = config_.vault;
    if (vault.folder.empty() != vault.key_file.empty()) {
      error(vault.folder.empty() ? "vault.key_file" : "vault.folder",
            "vault needs both folder and key_file; make the key with: fairlead key --vault <file>");
    }
  }

 private:
  void wrong(std::string_view key, std::string_view message) { error(config::below(path_, key), message); }

  void check_server(const ServerConfig& server, const std::string& key_path) {
    if (server.url.starts_with("unix:") || server.url.starts_with("tcp:")) {
      error(config::below(key_path, "auth"), "is for servers over HTTP or WebSocket; this one has a socket");
    }
    const auto is_authorization = [](const auto& header) {
      return protocol::same_header(header.first, "Authorization");
    };
    if (std::ranges::any_of(server.headers, is_authorization)) {
      error(config::below(key_path, "auth"), "the server has the header Authorization too; keep one of them");
    }
  }

  void check_client(const OAuthConfig& oauth) {
    if (!oauth.client_secret.empty() && !oauth.key_file.empty()) {
      wrong("key_file", "the client has a client_secret too; keep one of them");
    }
    if (!oauth.alg.empty() && oauth.key_file.empty()) wrong("alg", "needs key_file: it signs with that key");
    const bool has_secret = !oauth.client_secret.empty() || !oauth.key_file.empty();
    if (has_secret && oauth.client_id.empty()) {
      wrong(oauth.key_file.empty() ? "client_secret" : "key_file", "needs client_id");
    }
    if (!oauth.client_id.empty() && !oauth.client_metadata_url.empty()) {
      wrong("client_metadata_url", "the client has a client_id too; keep one of them");
    }
  }

  void check_grant(const OAuthConfig& oauth) {
    const auto name = config::write_enum(oauth.grant);
    const bool has_secret = !oauth.client_secret.empty() || !oauth.key_file.empty();
    const bool is_machine = !is_any_of(oauth.grant, {Grant::code, Grant::device});
    const bool needs_secret = is_any_of(oauth.grant, {Grant::client_credentials, Grant::on_behalf_of});
    if (is_machine && oauth.grant != Grant::jwt_bearer && oauth.client_id.empty()) {
      wrong("grant", fmt::format("{} needs client_id", name));
    }
    if (needs_secret && !has_secret) wrong("grant", fmt::format("{} needs client_secret or key_file", name));
    const bool takes_assertion = is_any_of(oauth.grant, {Grant::jwt_bearer, Grant::token_exchange});
    if (!takes_assertion && !oauth.assertion_file.empty()) {
      wrong("assertion_file", "is for the grants token_exchange and jwt_bearer");
    }
    if (oauth.grant == Grant::jwt_bearer && oauth.assertion_file.empty()) {
      wrong("grant", "needs assertion_file, the file with the token of the workload, for jwt_bearer");
    }
    if (oauth.grant != Grant::token_exchange && !oauth.audience.empty()) {
      wrong("audience", "is for the grant token_exchange");
    }
    check_identity_provider(oauth);
  }

  void check_identity_provider(const OAuthConfig& oauth) {
    const auto& provider = oauth.identity_provider;
    if (oauth.grant != Grant::id_jag) {
      if (provider != IdentityProviderConfig()) wrong("identity_provider", "is for the grant id_jag");
      return;
    }
    if (provider.token_endpoint.empty() || provider.client_id.empty()) {
      wrong("grant", "id_jag needs identity_provider.token_endpoint and identity_provider.client_id");
    }
    if (oauth.login_owner == LoginOwner::all && provider.id_token_file.empty()) {
      wrong("grant", "id_jag needs identity_provider.id_token_file, or for: caller");
    }
  }

  /// True if the sign-in pages can find out who their user is (decision 0021).
  bool can_verify_callers() const {
    const auto& listen = config_.listen;
    return !listen.oauth.dpop.required || !listen.keys.empty() || !listen.keys_file.empty();
  }

  void check_owner(const OAuthConfig& oauth) {
    const bool for_caller = oauth.login_owner == LoginOwner::caller;
    if (for_caller && is_any_of(oauth.grant, {Grant::client_credentials, Grant::jwt_bearer, Grant::device})) {
      wrong("for", fmt::format("the grant {} has one login for all callers; use code, token_exchange, on_behalf_of or "
                               "id_jag for a login per caller",
                               config::write_enum(oauth.grant)));
    }
    const bool is_exchange = is_any_of(oauth.grant, {Grant::token_exchange, Grant::on_behalf_of});
    if (!for_caller && is_exchange && oauth.assertion_file.empty()) {
      wrong("grant",
            fmt::format("{} exchanges the token of the caller; set for: caller", config::write_enum(oauth.grant)));
    }
    if (for_caller && !oauth.assertion_file.empty()) {
      wrong("assertion_file",
            "is for one login for all callers; with for: caller, the token of the caller is exchanged");
    }
    if (for_caller && oauth.grant == Grant::code && !can_verify_callers()) {
      wrong("for",
            "callers sign in on a page of this gateway, where browsers have no key to prove "
            "(listen.oauth.dpop.required): add listen.keys_file with the same names, or use token_exchange, "
            "on_behalf_of or id_jag");
    }
    if (for_caller && !oauth.account.empty()) wrong("account", "is for one login for all callers, not for: caller");
    if (for_caller && !oauth.callback_url.empty()) {
      wrong("callback_url", fmt::format("is for one login for all callers; with for: caller, browsers return to the "
                                        "gateway at /sign-in/callback"));
    }
  }

  void check_urls(const OAuthConfig& oauth) {
    constexpr std::string_view expected = "expected an https URL, or an http URL of this machine";
    if (!oauth.issuer.empty() && !is_protected_url(oauth.issuer)) wrong("issuer", expected);
    const auto& endpoint = oauth.identity_provider.token_endpoint;
    if (!endpoint.empty() && !is_protected_url(endpoint)) {
      error(config::below(config::below(path_, "identity_provider"), "token_endpoint"), expected);
    }
    const auto& document = oauth.client_metadata_url;
    if (!document.empty() && !document.starts_with("https://")) wrong("client_metadata_url", "expected an https URL");
    const auto callback = http::parse_url(oauth.callback_url);
    const bool is_local = callback && callback->scheme == "http" && is_this_machine(callback->host);
    if (!oauth.callback_url.empty() && !is_local) {
      wrong("callback_url", "expected an http URL of this machine, such as http://localhost:3118/callback");
    }
  }

  std::string path_;  // Of the `oauth` block.
};

}  // namespace

void validate_auth(const GatewayConfig& config, const config::Sources& sources, config::Diagnostics& diagnostics) {
  AuthValidator(config, sources, diagnostics).run();
}

}  // namespace fairlead::gateway
