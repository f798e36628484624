#include <fmt/format.h>
#include <utility>

#include "base/read_file.hpp"
#include "cli/commands.hpp"
#include "cli/credentials.hpp"
#include "cli/error_text.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

constexpr auto login_examples = R"(  fairlead login https://example.com/mcp
  fairlead login tracker --scope 'issues:read issues:write'
  fairlead login https://example.com/mcp --client-id 1234 --callback-port 3118
  fairlead login https://example.com/mcp --no-browser
  fairlead login https://example.com/mcp --device)";

struct LoginOptions {
  ChosenServer server = {};
  UrlOptions at = {};
  LogOptions log = {};
  std::string scope = {}, client_id = {}, client_secret_file = {}, client_metadata_url = {}, issuer = {};
  std::string callback_port = {}, callback_url = {}, account = {}, resource = {};
  std::vector<std::string> params = {};
  bool no_browser = false, device = false, private_issuers = false;
};

Result<void> add_params(const std::vector<std::string>& params, auth::OAuthOptions& options) {
  for (const auto& param : params) {
    const auto equals = param.find('=');
    if (equals == std::string::npos || equals == 0) return fail(ErrorKind::invalid, "--param: expected name=value");
    options.params.emplace_back(param.substr(0, equals), param.substr(equals + 1));
  }
  return {};
}

void set_if_given(std::string& target, const std::string& given) {
  if (!given.empty()) target = given;
}

/// The settings of the server; the command line overrides them.
Result<auth::OAuthOptions> login_options(const LoginOptions& flags) {
  auto options = sign_in_options(flags.server, flags.at);
  if (!options) return options;
  set_if_given(options->scope, flags.scope);
  set_if_given(options->client_id, flags.client_id);
  set_if_given(options->client_metadata_url, flags.client_metadata_url);
  set_if_given(options->issuer, flags.issuer);
  set_if_given(options->account, flags.account);
  set_if_given(options->resource, flags.resource);
  if (flags.private_issuers) options->private_issuers = true;
  if (flags.device) options->grant = auth::Grant::device;
  if (!flags.client_secret_file.empty()) {
    auto secret = read_file(flags.client_secret_file);
    if (!secret) return fail(ErrorKind::invalid, flags.client_secret_file + " " + secret.error().message);
    options->client_secret = secret->substr(0, secret->find_last_not_of(" \r\n") + 1);
  }
  if (auto added = add_params(flags.params, *options); !added) return std::unexpected(std::move(added.error()));
  return options;
}

Result<auth::BrowserOptions> login_browser(const LoginOptions& flags) {
  auto browser = browser_options(flags.server);
  browser.open_browser = !flags.no_browser;
  browser.paste_from_terminal = has_terminal();
  set_if_given(browser.callback_url, flags.callback_url);
  if (flags.callback_port.empty()) return browser;
  const bool is_number = flags.callback_port.find_first_not_of("0123456789") == std::string::npos;
  if (!flags.callback_url.empty()) return fail(ErrorKind::invalid, "give --callback-port or --callback-url, not both");
  if (!is_number) return fail(ErrorKind::invalid, "--callback-port: expected a number up to 65535");
  browser.callback_url = fmt::format("http://127.0.0.1:{}/callback", flags.callback_port);
  return browser;
}

int run_login(LoginOptions flags) {
  if (!flags.server.configured && flags.server.url.empty()) {
    return usage_error("login",
                       "give one server: a URL, as in fairlead login https://example.com/mcp, or the name of a "
                       "configured server");
  }
  auto options = login_options(flags);
  if (!options) return usage_error("login", options.error().message);
  if (!has_user(*options))
    return usage_error("login", "the server needs no sign-in: its tokens are issued without a user");
  auto browser = login_browser(flags);
  if (!browser) return usage_error("login", browser.error().message);
  const auto debug = resolve_debug(flags.log);
  if (!debug) return usage_error("login", debug.error().message);
  ProgramLog log(*debug, LogLevel::warning);
  Redactor::add_process_secret(options->client_secret);
  const auto login = sign_in_with_browser(*std::move(options), *std::move(browser), log);
  if (!login) {
    const auto why = log.redactor().redact_values(escape_for_terminal(login.error().message));
    const bool unreachable = login.error().kind == ErrorKind::closed;
    return report_error("login", why, unreachable ? exit_code::unreachable : exit_code::failed);
  }
  return print("Signed in to " + to_text(report_of(*login)));
}

void add_client_options(Options& options, LoginOptions& flags) {
  options.text("--scope", flags.scope, "the scopes to ask for, instead of those that the server names", "<scopes>");
  options.text("--client-id", flags.client_id, "a client that is registered at the authorization server", "<id>");
  options.text("--client-secret-file", flags.client_secret_file, "a file with the secret of this client", "<file>");
  options.text("--client-metadata-url", flags.client_metadata_url,
               "a client metadata document, for servers that support these", "<url>");
  options.text("--issuer", flags.issuer, "the only authorization server to accept", "<url>");
  options.flag("--private-issuers", flags.private_issuers,
               "allow an authorization server on a private network for a server on the Internet");
  options.text("--resource", flags.resource, "the resource parameter, or none to omit it", "<url>");
  options.repeatable("--param", flags.params, "a parameter for the authorization page, such as audience=x",
                     "<name=value>");
}

}  // namespace

RunCommand declare_login(Options& options) {
  auto flags = std::make_shared<LoginOptions>();
  options.describe(
      "login [options] <name> | <url>",
      "Signs in to a server that requires OAuth and keeps the tokens for all other commands. Opens a\n"
      "browser ($BROWSER, or xdg-open) and prints the address of the page. Exit codes: 0 signed in, 1 not\n"
      "signed in, 2 usage error, 3 server unreachable.",
      login_examples);
  add_client_options(options, *flags);
  options.text("--callback-port", flags->callback_port, "the port for the browser to return to (default: a free one)",
               "<port>");
  options.text("--callback-url", flags->callback_url,
               "the address for the browser to return to, such as http://localhost:3118/callback", "<url>");
  options.flag("--no-browser", flags->no_browser, "only print the address of the page");
  options.flag("--device", flags->device, "print a code to enter on any device, instead of waiting for this browser");
  options.text("--account", flags->account, "a name for this login, if you have several at the server", "<name>");
  add_tls_options(options, flags->at);
  add_config_options(options, flags->log);
  add_server_argument(options, flags->server);
  options.no_server_command();
  return [flags] { return run_login(*flags); };
}

}  // namespace fairlead::cli
