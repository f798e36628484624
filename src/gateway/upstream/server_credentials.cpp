#include "gateway/upstream/server_credentials.hpp"

#include <algorithm>
#include <array>
#include <fairlead/base/redactor.hpp>
#include <fmt/format.h>

#include "base/read_file.hpp"
#include "gateway/model/caller_id.hpp"
#include "gateway/upstream/upstream_errors.hpp"
#include "http/url.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::size_t max_callers = 8192;
// Shorter than start_timeout, so that a user who does not sign in at once still gets the link.
constexpr Duration usual_user_timeout = std::chrono::seconds{15};

bool has_authorization(const ServerConfig& config) {
  const auto url = http::parse_url(config.url);
  if (url && !url->credentials.empty()) return true;
  return std::ranges::any_of(config.headers,
                             [](const auto& header) { return protocol::same_header(header.first, "Authorization"); });
}

bool is_http(const std::string& url) {
  return http::parse_url(url).has_value();
}

std::function<Result<std::string>()> file_reader(const std::string& path) {
  if (path.empty()) return {};
  return [path]() -> Result<std::string> {
    auto text = read_file(path);
    if (!text) return fail(ErrorKind::invalid, path + " " + text.error().message);
    while (text->ends_with('\n')) text->pop_back();
    return text;
  };
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// Shows the start page of the gateway to a caller.
class CallerPages final : public auth::SignIn {
 public:
  CallerPages(std::shared_ptr<SignInPages> pages, std::string principal, std::string server,
              std::shared_ptr<const CallerToken> token)
      : pages_(std::move(pages)),
        principal_(std::move(principal)),
        server_(std::move(server)),
        token_(std::move(token)) {}

  void report_to(std::weak_ptr<ServerTokenSource> source) { source_ = std::move(source); }

  Task<Result<std::string>> prepare(EventLoop, std::string) override { return pages_->callback_url(); }
  Task<Result<std::string>> show(EventLoop loop, auth::SignInRequest request) override {
    CallerSignIn sign_in{.principal = principal_,
                         .issuer = token_->issuer,
                         .server = server_,
                         .authorization_url = std::move(request.url),
                         .redirect_uri = std::move(request.redirect_uri)};
    auto on_link = [source = source_](std::string link) {
      if (const auto waiting = source.lock()) waiting->set_link(std::move(link));
    };
    return pages_->wait_for_user(loop, std::move(sign_in), std::move(on_link));
  }

 private:
  std::shared_ptr<SignInPages> pages_;
  std::string principal_;
  std::string server_;
  std::shared_ptr<const CallerToken> token_;  // The newest one.
  std::weak_ptr<ServerTokenSource> source_;
};

/// Lets the operator sign in, and tells the waiting requests where.
class ReportingSignIn final : public auth::SignIn {
 public:
  explicit ReportingSignIn(std::shared_ptr<auth::SignIn> inner) : inner_(std::move(inner)) {}

  void report_to(std::weak_ptr<ServerTokenSource> source) { source_ = std::move(source); }

  Task<Result<std::string>> prepare(EventLoop loop, std::string preferred) override {
    return inner_->prepare(loop, std::move(preferred));
  }
  Task<Result<std::string>> show(EventLoop loop, auth::SignInRequest request) override {
    if (const auto waiting = source_.lock()) waiting->set_link(request.url);
    return inner_->show(loop, std::move(request));
  }

 private:
  std::shared_ptr<auth::SignIn> inner_;
  std::weak_ptr<ServerTokenSource> source_;
};

template <class Pages>
std::shared_ptr<auth::TokenSource> make_source(ServerTokenOptions options, auth::OAuthOptions oauth,
                                               std::shared_ptr<auth::CredentialStore> store,
                                               std::shared_ptr<Pages> pages) {
  auto inner = auth::oauth(std::move(oauth), std::move(store), pages);
  auto source = std::make_shared<ServerTokenSource>(std::move(options), std::move(inner));
  pages->report_to(source);
  return source;
}

}  // namespace

std::string sign_in_url(std::string url) {
  for (const std::string_view prefix : {"rpc+", "sse+"}) {
    if (url.starts_with(prefix)) url.erase(0, prefix.size());
  }
  const bool is_websocket = url.starts_with("ws://") || url.starts_with("wss://");
  return is_websocket ? "http" + url.substr(2) : url;
}

Result<auth::OAuthOptions> oauth_options(const ServerConfig& config) {
  const auto oauth = config.auth.oauth.value_or(OAuthConfig());
  auth::OAuthOptions options{.server = sign_in_url(config.url), .account = oauth.account, .grant = oauth.grant};
  options.client_id = oauth.client_id;
  options.client_secret = oauth.client_secret;
  if (!oauth.key_file.empty()) {
    auto key = read_file(oauth.key_file);
    if (!key) return fail(ErrorKind::invalid, oauth.key_file + " " + key.error().message);
    options.private_key_pem = std::move(*key);
  }
  options.signing_algorithm = oauth.alg;
  options.issuer = oauth.issuer;
  options.private_issuers = oauth.private_issuers;
  options.client_metadata_url = oauth.client_metadata_url;
  options.scope = joined(oauth.scopes);
  options.resource = oauth.resource;
  options.audience = oauth.audience;
  options.params.assign(oauth.params.begin(), oauth.params.end());
  options.dpop = oauth.dpop;
  const auto& provider = oauth.identity_provider;
  options.identity_provider.token_endpoint = provider.token_endpoint;
  options.identity_provider.client_id = provider.client_id;
  options.identity_provider.client_secret = provider.client_secret;
  options.read_assertion =
      file_reader(oauth.grant == auth::Grant::id_jag ? provider.id_token_file : oauth.assertion_file);
  options.http.tls = {.ca_file = config.cacert, .certificate_file = config.cert, .key_file = config.key};
  options.on_secret = &Redactor::add_process_secret;
  for (const auto* secret : {&oauth.client_secret, &provider.client_secret}) options.on_secret(*secret);
  return options;
}

Result<std::shared_ptr<ServerCredentials>> ServerCredentials::make(const ServerConfig& config,
                                                                   std::shared_ptr<const CredentialServices> services) {
  const bool wanted = config.auth.oauth || (services->options.automatic && !has_authorization(config));
  if (!wanted || !is_http(sign_in_url(config.url))) return nullptr;
  auto options = oauth_options(config);
  if (!options) return std::unexpected(std::move(options.error()));
  return std::shared_ptr<ServerCredentials>(new ServerCredentials(config, std::move(*options), std::move(services)));
}

ServerCredentials::ServerCredentials(const ServerConfig& config, auth::OAuthOptions options,
                                     std::shared_ptr<const CredentialServices> services)
    : name_(config.name),
      command_("fairlead login " + (config.auth.oauth ? config.name : http::parse_url(options.server)->redacted())),
      per_caller_(config.auth.oauth && config.auth.oauth->login_owner == LoginOwner::caller),
      options_(std::move(options)),
      services_(std::move(services)),
      shared_(make_shared_source()) {}

bool ServerCredentials::exchanges() const {
  constexpr auto grants = std::to_array({auth::Grant::token_exchange, auth::Grant::on_behalf_of, auth::Grant::id_jag});
  return per_caller_ && std::ranges::find(grants, options_.grant) != grants.end();
}

std::shared_ptr<auth::TokenSource> ServerCredentials::make_shared_source() const {
  auto options = options_;
  // The requests of the gateway itself have no caller whose token could be exchanged.
  if (exchanges()) options.grant = auth::Grant::client_credentials;
  const bool has_user = options.grant == auth::Grant::code || options.grant == auth::Grant::device;
  const auto& given = services_->options;
  // Tokens that need no user are not worth a file.
  auto store = has_user && given.store ? given.store : auth::memory_store();
  auto sign_in = std::make_shared<ReportingSignIn>(given.sign_in ? given.sign_in : auth::no_sign_in());
  ServerTokenOptions source{.server = name_, .command = has_user ? command_ : "", .user_timeout = usual_user_timeout};
  return make_source(std::move(source), std::move(options), std::move(store), std::move(sign_in));
}

ServerCredentials::Caller ServerCredentials::make_caller(const std::string& principal, CallerToken token) const {
  auto options = options_;
  options.account = principal;
  auto current = std::make_shared<CallerToken>(std::move(token));
  if (exchanges()) {
    // The caller's token goes to the issuer that made it, never to another one.
    if (options.grant != auth::Grant::id_jag) options.issuer = current->issuer;
    options.identity_provider.subject_token_type = "urn:ietf:params:oauth:token-type:access_token";
    options.read_assertion = [current]() -> Result<std::string> { return *current->token; };
  }
  auto pages = std::make_shared<CallerPages>(services_->pages, principal, name_, current);
  auto store = exchanges() ? auth::memory_store() : services_->vault;
  ServerTokenOptions source{.server = name_};
  return {.source = make_source(std::move(source), std::move(options), std::move(store), std::move(pages)),
          .token = std::move(current)};
}

Result<void> ServerCredentials::admit(const session::Call& call) {
  const auto& principal = call.context.principal;
  if (!is_client_key(call.context.session_key)) return {};
  if (principal.empty()) {
    return std::unexpected(unsuitable_caller(
        name_, fmt::format("each caller has its own login at the server '{}' (for: caller), but you did not "
                           "authenticate to the gateway; send a key or a token",
                           name_)));
  }
  auto token = caller_token(call);
  if (exchanges() && (!token.token || token.token->empty())) {
    return std::unexpected(unsuitable_caller(
        name_, fmt::format("the server '{}' gets a token in exchange for yours, but you authenticated to the gateway "
                           "without one; use OAuth (listen.oauth)",
                           name_)));
  }
  const auto known = callers_.find(principal);
  if (known == callers_.end()) return {};
  // Another issuer: the source of the old one must not get this token.
  if (exchanges() && known->second.token->issuer != token.issuer) {
    callers_.erase(known);
  } else {
    *known->second.token = std::move(token);
  }
  return {};
}

std::shared_ptr<auth::TokenSource> ServerCredentials::of(const session::Call& call) {
  const auto& principal = call.context.principal;
  if (!per_caller_ || principal.empty()) return shared_;
  auto found = callers_.find(principal);
  if (found == callers_.end()) {
    if (callers_.size() >= max_callers) remove_unused();
    found = callers_.emplace(principal, make_caller(principal, caller_token(call))).first;
  }
  return found->second.source;
}

// Sources that no connection uses any more.
void ServerCredentials::remove_unused() {
  std::erase_if(callers_, [](const auto& caller) { return caller.second.source.use_count() == 1; });
}

}  // namespace fairlead::gateway
