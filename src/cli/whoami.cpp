#include <fairlead/json/codec.hpp>
#include <utility>

#include "cli/commands.hpp"
#include "cli/credentials.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "gateway/upstream/server_credentials.hpp"
#include "http/url.hpp"

namespace fairlead::cli {
namespace {

constexpr auto whoami_examples = R"(  fairlead whoami
  fairlead whoami https://example.com/mcp
  fairlead whoami --json)";

struct WhoamiOptions {
  ChosenServer server = {};
  LogOptions log = {};
  bool json = false;
};

Task<int> load_logins(Result<std::vector<auth::Stored>>* into) {
  *into = co_await user_store()->list();
  co_return 0;
}

bool same_url(const std::string& left, const std::string& right) {
  const auto a = http::parse_url(left), b = http::parse_url(right);
  return a && b && a->same_origin(*b) && a->target == b->target;
}

int run_whoami(const WhoamiOptions& flags) {
  const auto wanted = gateway::sign_in_url(flags.server.configured ? flags.server.configured->url : flags.server.url);
  ProgramLog log({}, LogLevel::warning);
  Result<std::vector<auth::Stored>> logins;
  run_loop(log, [&](const EventLoop&) { return load_logins(&logins); });
  if (!logins) return report_error("whoami", logins.error().message, exit_code::failed);
  std::vector<LoginReport> reports;
  for (const auto& login : *logins) {
    if (login.access_token.empty() || (!wanted.empty() && !same_url(login.server, wanted))) continue;
    reports.push_back(report_of(login));
  }
  if (flags.json) {
    const int printed = print(json::encode(reports) + "\n");
    return reports.empty() ? exit_code::failed : printed;
  }
  const auto at = wanted.empty() ? std::string("any server") : wanted;
  if (reports.empty()) {
    return report_error("whoami",
                        "not signed in to " + at + "; run: fairlead login " + (wanted.empty() ? "<url>" : wanted),
                        exit_code::failed);
  }
  std::string text;
  for (const auto& report : reports) text += to_text(report);
  return print(text);
}

}  // namespace

RunCommand declare_whoami(Options& options) {
  auto flags = std::make_shared<WhoamiOptions>();
  options.describe("whoami [options] [<name> | <url>]",
                   "Shows the servers that you are signed in to: issuer, subject, scopes, and how long the token is\n"
                   "valid. Never shows a token. Exit codes: 0 signed in, 1 not signed in, 2 usage error.",
                   whoami_examples);
  options.flag("--json", flags->json, "print one JSON document instead of text");
  add_config_options(options, flags->log);
  add_server_argument(options, flags->server);
  options.no_server_command();
  return [flags] { return run_whoami(*flags); };
}

}  // namespace fairlead::cli
