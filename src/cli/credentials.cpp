#include "cli/credentials.hpp"

#include <algorithm>
#include <cstdlib>
#include <fairlead/base/base64.hpp>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "auth/client/form.hpp"
#include "auth/client/metadata.hpp"
#include "base/duration.hpp"
#include "cli/run_loop.hpp"
#include "cli/to_text.hpp"
#include "config/shell_words.hpp"
#include "gateway/upstream/backend_factory.hpp"
#include "gateway/upstream/server_credentials.hpp"
#include "http/url.hpp"

namespace fairlead::cli {
namespace {

std::vector<std::string> helper_command() {
  const char* helper = std::getenv("FAIRLEAD_CREDENTIAL_HELPER");
  const auto words = config::split_words(helper ? helper : "");
  std::vector<std::string> command;
  for (const auto& word : words.value_or(std::vector<config::Token>())) command.push_back(word.text);
  return command;
}

bool is_web_url(const std::string& url) {
  return url.starts_with("http://") || url.starts_with("https://");
}

bool has_authorization(const std::string& url, const transport::HttpClientOptions& http) {
  const auto parsed = http::parse_url(url);
  if (!http.bearer.empty() || (parsed && !parsed->credentials.empty())) return true;
  return std::ranges::any_of(http.headers,
                             [](const auto& header) { return protocol::same_header(header.name, "Authorization"); });
}

// The subject of a JWT, which is not verified: it is only shown. Empty for other tokens.
std::string token_subject(const std::string& token) {
  struct Claims {
    std::optional<std::string> sub = {};
  };
  const auto begin = token.find('.');
  const auto end = begin == std::string::npos ? begin : token.find('.', begin + 1);
  if (end == std::string::npos) return {};
  const auto text = base64_decode(token.substr(begin + 1, end - begin - 1), Base64::url);
  const auto payload = text ? json::Payload::parse(*text) : Result<json::Payload>(std::unexpected(text.error()));
  const auto claims = payload ? json::decode<Claims>(*payload) : Result<Claims>();
  return claims ? claims->sub.value_or("") : "";
}

std::int64_t seconds_since_1970() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

Task<int> store_login(EventLoop loop, auth::OAuthOptions options, std::shared_ptr<auth::SignIn> sign_in,
                      Result<auth::Stored>* into) {
  *into = co_await auth::login(loop, std::move(options), user_store(), std::move(sign_in));
  co_return 0;
}

Task<int> find_challenge(EventLoop loop, auth::OAuthOptions options, bool* required) {
  auth::StoreKey key{.server = options.server, .account = options.account};
  const auto login = co_await user_store()->load(std::move(key));
  if (login && *login && !(*login)->access_token.empty()) co_return 0;
  const auto challenge = co_await auth::fetch_challenge(loop, std::move(options));
  *required = challenge && challenge->status == 401;
  co_return 0;
}

Task<int> load_login(auth::StoreKey key, Result<std::optional<auth::Stored>>* into) {
  *into = co_await user_store()->load(std::move(key));
  co_return 0;
}

std::string validity(const LoginReport& report) {
  const auto* const renewed = report.renewable ? ", renewed automatically" : "";
  if (!report.expires_in) return report.renewable ? "unknown, renewed automatically" : "unknown";
  if (*report.expires_in <= 0) {
    return report.renewable ? "expired, is renewed with the next request" : "expired; run fairlead login again";
  }
  const std::chrono::seconds left{*report.expires_in};
  const auto minutes = std::chrono::floor<std::chrono::minutes>(left);
  return fmt::format("{} more{}", write_duration(minutes.count() < 2 ? left : Duration(minutes)), renewed);
}

}  // namespace

std::shared_ptr<auth::CredentialStore> user_store() {
  auto helper = helper_command();
  if (!helper.empty()) return auth::command_store(std::move(helper));
  return auth::file_store(auth::default_credential_folder());
}

std::string user_store_place() {
  const auto helper = helper_command();
  return helper.empty() ? auth::default_credential_folder() : "credential helper " + helper.front();
}

std::shared_ptr<auth::SignIn> sign_in_by_command() {
  return auth::no_sign_in("fairlead login");
}

Result<auth::OAuthOptions> sign_in_options(const ChosenServer& server, const UrlOptions& at) {
  auth::OAuthOptions options{.server = gateway::sign_in_url(server.configured ? server.configured->url : server.url)};
  if (!is_web_url(options.server)) {
    return fail(ErrorKind::invalid,
                "only servers at an http, https, ws or wss URL have a sign-in; give such a URL, or the name "
                "of a configured server with one");
  }
  if (server.configured) return gateway::oauth_options(*server.configured);
  auto http = http_client_options(at);
  if (!http) return std::unexpected(std::move(http.error()));
  options.http = std::move(http->http);
  options.on_secret = &Redactor::add_process_secret;
  return options;
}

bool has_user(const auth::OAuthOptions& options) {
  return options.grant == auth::Grant::code || options.grant == auth::Grant::device;
}

void use_login(transport::HttpClientOptions& http, auth::OAuthOptions options) {
  if (has_authorization(options.server, http)) return;
  // Tokens that need no user are not worth a file.
  auto store = has_user(options) ? user_store() : auth::memory_store();
  http.tokens = auth::oauth(std::move(options), std::move(store), sign_in_by_command());
}

void use_login(transport::HttpClientOptions& http, const gateway::ServerConfig& server) {
  const ChosenServer chosen{.configured = server};
  auto options = sign_in_options(chosen, {});
  if (options) use_login(http, *std::move(options));
}

bool may_sign_in(const gateway::ServerConfig& server) {
  return is_web_url(gateway::sign_in_url(server.url)) &&
         !has_authorization(server.url, gateway::upstream_options(server).client.http);
}

bool requires_sign_in(const gateway::ServerConfig& server, const auth::OAuthOptions& options, ProgramLog& log) {
  if (!may_sign_in(server) || !has_user(options)) return false;
  bool required = false;
  run_loop(log, [&](EventLoop loop) { return find_challenge(std::move(loop), options, &required); });
  return required;
}

bool needs_sign_in(const Error& error) {
  return error.cause == auth::cause_sign_in_needed || error.cause == auth::cause_insufficient_scope;
}

auth::BrowserOptions browser_options(const ChosenServer& server) {
  auth::BrowserOptions browser;
  const auto& configured = server.configured;
  const bool has_address = configured && configured->auth.oauth && !configured->auth.oauth->callback_url.empty();
  if (has_address) browser.callback_url = configured->auth.oauth->callback_url;
  return browser;
}

bool has_terminal() {
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

Result<auth::Stored> sign_in_with_browser(auth::OAuthOptions options, auth::BrowserOptions browser, ProgramLog& log) {
  const auto sign_in = auth::browser_sign_in(std::move(browser));
  Result<auth::Stored> done = fail(ErrorKind::cancelled, "cancelled");
  run_loop(log, [&](EventLoop loop) { return store_login(std::move(loop), options, sign_in, &done); });
  return done;
}

Result<auth::Stored> sign_in_again(const ChosenServer& server, auth::OAuthOptions options, const Error& error,
                                   ProgramLog& log) {
  if (error.cause == auth::cause_insufficient_scope) {
    struct Missing {
      std::string scope = {};
    };
    const auto missing = json::decode<Missing>(error.data);
    Result<std::optional<auth::Stored>> login;
    run_loop(log, [&](const EventLoop&) { return load_login({options.server, options.account}, &login); });
    const auto had = login && *login ? (*login)->scope : std::string();
    options.scope = auth::scope_union(had, missing ? missing->scope : "");
  }
  auto browser = browser_options(server);
  browser.paste_from_terminal = true;
  return sign_in_with_browser(std::move(options), std::move(browser), log);
}

gateway::CredentialOptions gateway_credentials(std::shared_ptr<auth::SignIn> sign_in) {
  return {.store = user_store(), .sign_in = std::move(sign_in), .automatic = true};
}

LoginReport report_of(const auth::Stored& login) {
  LoginReport report{.server = login.server, .account = login.account, .issuer = login.issuer};
  report.subject = token_subject(login.id_token);
  if (report.subject.empty()) report.subject = token_subject(login.access_token);
  report.client_id = login.client.client_id;
  report.scopes = auth::scope_words(login.scope);
  if (login.expires_at != 0) report.expires_in = login.expires_at - seconds_since_1970();
  report.renewable = !login.refresh_token.empty();
  report.dpop = login.token_type == "DPoP";
  report.kept_in = user_store_place();
  return report;
}

std::optional<std::string> login_line(const std::vector<auth::Stored>& logins, const std::string& url,
                                      const std::string& account) {
  const auto server = gateway::sign_in_url(url);
  for (const auto& login : logins) {
    if (login.server != server || login.account != account || login.access_token.empty()) continue;
    const auto report = report_of(login);
    const auto subject = report.subject.empty() ? std::string() : " as " + report.subject;
    return fmt::format("signed in{} at {}, valid: {}", subject, report.issuer, validity(report));
  }
  return std::nullopt;
}

std::optional<std::string> login_line(const std::vector<auth::Stored>& logins, const gateway::ServerConfig& server) {
  const auto& oauth = server.auth.oauth;
  auto line = login_line(logins, server.url, oauth ? oauth->account : "");
  const bool has_user = oauth && (oauth->grant == auth::Grant::code || oauth->grant == auth::Grant::device);
  if (line || !has_user) return line;
  if (oauth->login_owner == gateway::LoginOwner::caller) return "each caller of the gateway signs in";
  return "needs login: run fairlead login " + server.name;
}

std::string to_text(const LoginReport& report) {
  std::string text = escape_for_terminal(report.server) + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<9} {}\n", name, escape_for_terminal(value));
  };
  line("account", report.account);
  line("issuer", report.issuer);
  line("subject", report.subject);
  line("client", report.client_id);
  line("scopes", fmt::format("{}", fmt::join(report.scopes, " ")));
  line("token", std::string(report.dpop ? "bound to a key (DPoP), " : "") + "valid: " + validity(report));
  line("kept in", report.kept_in);
  return text;
}

}  // namespace fairlead::cli
