#include "gateway/app/user_sign_in.hpp"

#include <fairlead/base/redactor.hpp>
#include <map>
#include <string>
#include <utility>

#include "auth/client/flow.hpp"

namespace fairlead::gateway {
namespace {

/// What all sign-ins use. On one event loop.
struct UserSignIn {
  auth::OAuthOptions options;
  std::string client_issuer;  // Where the configured client is registered.
  std::string resource;       // URL of the gateway.
  std::string path;           // Its path.
  std::shared_ptr<const http::AccessCheck> check;
  std::map<std::string, auth::Stored> registered = {};  // Clients by issuer, without tokens.
};

std::shared_ptr<UserSignIn> user_sign_in(const GatewayConfig& config, std::shared_ptr<const http::AccessCheck> check) {
  const auto& listen = config.listen;
  const auto& client = listen.oauth.sign_in;
  const auto path = listen.base_path + listen.paths.mcp;
  auto made = std::make_shared<UserSignIn>(UserSignIn{.options = {},
                                                      .client_issuer = client.issuer,
                                                      .resource = listen.public_url + path,
                                                      .path = path,
                                                      .check = std::move(check)});
  if (made->client_issuer.empty() && !listen.oauth.issuers.empty()) {
    made->client_issuer = listen.oauth.issuers.front().issuer;
  }
  auto& options = made->options;
  options.server = made->resource;
  options.client_id = client.client_id;
  options.client_secret = client.client_secret;
  options.scope = auth::join_scopes(client.scopes.empty() ? listen.oauth.scopes.all : client.scopes);
  options.resource = client.resource;
  options.http.tls.ca_file = listen.oauth.cacert;
  options.on_secret = &Redactor::add_process_secret;
  return made;
}

Task<Result<auth::Discovered>> find_issuer(EventLoop loop, std::shared_ptr<UserSignIn> how, std::string issuer) {
  auto metadata = co_await auth::fetch_issuer_metadata(loop, how->options.http, issuer);
  if (!metadata) co_return std::unexpected(std::move(metadata.error()));
  if (!*metadata) co_return fail(ErrorKind::refused, issuer + " has no metadata document");
  auth::Discovered found;
  found.server = std::move(**metadata);
  found.has_server_metadata = true;
  found.resource.resource = how->resource;
  found.issuer = std::move(issuer);
  if (auto checked = auth::check_server(found.server, found.issuer, auth::Grant::code); !checked) {
    co_return std::unexpected(std::move(checked.error()));
  }
  co_return found;
}

Task<Result<std::string>> principal_of(std::shared_ptr<UserSignIn> how, std::string token) {
  const auto authorization = "Bearer " + token;
  http::Request request;
  request.method = "GET";
  request.target = request.path = how->path;
  request.headers.push_back({"Authorization", authorization});
  const auto refused = co_await how->check->refuse(request);
  if (refused) {
    co_return fail(ErrorKind::refused, "the gateway refused the token that the issuer made for it, with status " +
                                           std::to_string(refused->status) + ": " + refused->body);
  }
  co_return request.principal;
}

Task<Result<std::string>> verify_user(std::shared_ptr<UserSignIn> how, EventLoop loop, std::string issuer,
                                      std::shared_ptr<auth::SignIn> browser) {
  auto found = co_await find_issuer(loop, how, issuer);
  if (!found) co_return std::unexpected(std::move(found.error()));
  auto options = how->options;
  if (issuer != how->client_issuer) {
    options.client_id.clear();
    options.client_secret.clear();
  }
  auth::Authorization asked{.options = options, .sign_in = *browser};
  asked.found = std::move(*found);
  asked.scope = options.scope;
  if (const auto known = how->registered.find(issuer); known != how->registered.end()) asked.stored = known->second;
  auto login = co_await auth::authorize(loop, std::move(asked));
  if (!login) {
    if (login.error().cause == auth::cause_registration_refused) login.error().message += " (listen.oauth.sign_in)";
    co_return std::unexpected(std::move(login.error()));
  }
  auth::Stored registered;
  registered.issuer = issuer;
  registered.client = std::move(login->client);
  how->registered.insert_or_assign(issuer, std::move(registered));
  co_return co_await principal_of(how, std::move(login->access_token));
}

}  // namespace

VerifyUser verify_by_sign_in(const GatewayConfig& config, std::shared_ptr<const http::AccessCheck> check) {
  return [how = user_sign_in(config, std::move(check))](EventLoop loop, std::string issuer,
                                                        std::shared_ptr<auth::SignIn> browser) {
    return verify_user(how, std::move(loop), std::move(issuer), std::move(browser));
  };
}

}  // namespace fairlead::gateway
