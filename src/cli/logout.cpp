#include <fmt/format.h>
#include <utility>

#include "cli/commands.hpp"
#include "cli/credentials.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

constexpr auto logout_examples = R"(  fairlead logout https://example.com/mcp
  fairlead logout tracker --forget
  fairlead logout --all)";

struct LogoutFlags {
  ChosenServer server = {};
  UrlOptions at = {};
  LogOptions log = {};
  std::string account = {};
  bool all = false, forget = false;
};

/// Ends one login. Returns an exit code.
Task<int> end_login(EventLoop loop, auth::StoreKey key, auth::LogoutOptions options) {
  const auto server = escape_for_terminal(key.server);
  const auto ended = co_await auth::logout(loop, std::move(key), user_store(), std::move(options));
  if (!ended) co_return report_error("logout", escape_for_terminal(ended.error().message), exit_code::failed);
  for (const auto& failure : *ended) report_error("logout", "warning: " + escape_for_terminal(failure), 0);
  co_return print("Signed out of " + server + "\n");
}

Task<int> end_all_logins(EventLoop loop, auth::LogoutOptions options) {
  const auto logins = co_await user_store()->list();
  if (!logins) co_return report_error("logout", logins.error().message, exit_code::failed);
  int code = exit_code::done;
  for (const auto& login : *logins) {
    if (login.access_token.empty() && !options.forget) continue;
    auth::StoreKey key{.server = login.server, .account = login.account};
    const int ended = co_await end_login(loop, std::move(key), options);
    if (ended != exit_code::done) code = ended;
  }
  co_return code;
}

int run_logout(LogoutFlags flags) {
  const bool has_server = flags.server.configured || !flags.server.url.empty();
  if (has_server == flags.all) {
    return usage_error("logout", "give one server (a URL or the name of a configured server), or --all");
  }
  ProgramLog log({}, LogLevel::warning);
  auth::LogoutOptions options{.forget = flags.forget};
  if (flags.all) {
    auto http = http_client_options(flags.at);
    if (http) options.http = std::move(http->http);
    return run_loop(log, [&](EventLoop loop) { return end_all_logins(std::move(loop), options); });
  }
  auto server = sign_in_options(flags.server, flags.at);
  if (!server) return usage_error("logout", server.error().message);
  options.http = std::move(server->http);
  const auth::StoreKey key{.server = server->server,
                           .account = flags.account.empty() ? server->account : flags.account};
  return run_loop(log, [&](EventLoop loop) { return end_login(std::move(loop), key, options); });
}

}  // namespace

RunCommand declare_logout(Options& options) {
  auto flags = std::make_shared<LogoutFlags>();
  options.describe(
      "logout [options] <name> | <url> | --all",
      "Revokes the tokens of a server at its authorization server and deletes them. Running gateways stop\n"
      "using them at once.",
      logout_examples);
  options.flag("--all", flags->all, "sign out of all servers");
  options.flag("--forget", flags->forget, "also delete the registration of this client at the authorization server");
  options.text("--account", flags->account, "which login, if you have several at the server", "<name>");
  add_tls_options(options, flags->at);
  add_config_options(options, flags->log);
  add_server_argument(options, flags->server);
  options.no_server_command();
  return [flags] { return run_logout(*flags); };
}

}  // namespace fairlead::cli
