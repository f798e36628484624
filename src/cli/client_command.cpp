#include "cli/client_command.hpp"

#include <fairlead/base/diagnosis.hpp>
#include <fairlead/json/reflect.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "cli/credentials.hpp"
#include "cli/error_text.hpp"
#include "cli/output.hpp"
#include "cli/servers_file.hpp"
#include "cli/to_text.hpp"
#include "cli/version.hpp"
#include "gateway/upstream/backend_factory.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::cli {
namespace {

using Levels = json::Enumerators<protocol::LoggingLevel>;

protocol::LoggingLevel level_named(std::string_view name) {
  const auto found = std::ranges::find(Levels::names, name);
  return Levels::values[static_cast<std::size_t>(found - Levels::names.begin())];
}

client::EraPreference era_named(std::string_view name) {
  if (name == "handshake") return client::EraPreference::handshake;
  return name == "stateless" ? client::EraPreference::stateless : client::EraPreference::automatic;
}

std::string known_revisions() {
  std::string names;
  for (const auto& revision : protocol::revisions()) names.append(names.empty() ? "" : ", ").append(revision.name);
  return names;
}

}  // namespace

void ClientCommand::add_options(Options& options) {
  name_ = options.command();
  add_server_options(options, server_);
  options.choice("--era", era_, "use a handshake or stateless requests; auto asks the server",
                 {"auto", "handshake", "stateless"});
  options.text("--revision", revision_, "use only this MCP revision", "<revision>");
  options.choice("--log-level", log_level_, "print the server's log messages of this level and above to stderr",
                 {Levels::names.begin(), Levels::names.end()});
  options.repeatable("--answer", user_.answers, "answer for a form that the server sends (elicitation)",
                     "<field=value>");
  options.text("--sample", user_.sampled, "answer to the server's sampling requests", "<text>");
  options.repeatable("--root", user_.roots, "a root URI that the server may list", "<uri>");
  add_server_argument(options, server_.chosen);
}

client::CallOptions ClientCommand::progress_options() {
  client::CallOptions options;
  options.on_progress = [](const protocol::ProgressParams& progress) { print_stderr(to_text(progress)); };
  return options;
}

int ClientCommand::usage_error(std::string_view reason) const {
  return cli::usage_error(name_, reason);
}

Result<client::ClientOptions> ClientCommand::client_options(const ServerSettings& choice) const {
  if (!revision_.empty() && protocol::find_revision(revision_) == nullptr) {
    return fail(ErrorKind::invalid,
                fmt::format("--revision '{}' is unknown; choose one of {}", revision_, known_revisions()));
  }
  client::ClientOptions options;
  options.client_info.version = version;
  options.era = era_named(era_);
  options.revision = revision_;
  options.timeouts.idle = choice.timeout;
  options.timeouts.total = std::max(options.timeouts.total, choice.timeout);
  options.discover_timeout = std::min(options.discover_timeout, choice.timeout);
  options.reconnect = false;
  options.tasks = true;
  options.on_log = [](const protocol::LoggingMessageParams& message) { print_stderr(to_text(message)); };
  add_interactive_handlers(options, user_);
  return options;
}

ClientCommand::Outcome ClientCommand::run_once(const client::Endpoint& server, client::ClientOptions options,
                                               const std::function<int(client::Client&)>& work) const {
  const auto sign_in = sign_in_options(server_.chosen, server_.url);
  if (sign_in) use_login(options.http, with_account(*sign_in));
  std::optional<client::Client> client;
  try {
    client.emplace(server, std::move(options));
    if (!log_level_.empty()) client->set_log_level(level_named(log_level_));
    return {work(*client)};
  } catch (const client::Failure& failure) {
    return {client ? exit_code::failed : exit_code::unreachable, failure.error()};
  }
}

auth::OAuthOptions ClientCommand::with_account(auth::OAuthOptions options) const {
  if (!server_.account.empty()) options.account = server_.account;
  return options;
}

bool ClientCommand::sign_in_after(const Error& error, ProgramLog& log) const {
  auto options = sign_in_options(server_.chosen, server_.url);
  if (!options || !needs_sign_in(error) || !has_terminal()) return false;
  const auto done = sign_in_again(server_.chosen, with_account(*std::move(options)), error, log);
  if (!done) report_error(name_, escape_for_terminal(done.error().message), exit_code::failed);
  return done.has_value();
}

Error ClientCommand::redacted(Error error) const {
  error = gateway::redacted(secrets_, std::move(error));
  return echoes_stderr_ ? without_output(std::move(error)) : error;
}

std::string ClientCommand::error_message(const Error& error) const {
  return error_text(redacted(error));
}

Result<client::Endpoint> ClientCommand::endpoint(const std::string& url, const ServerSettings& choice,
                                                 client::ClientOptions& options) const {
  auto http = http_client_options(server_.url);
  if (!http) return std::unexpected(std::move(http.error()));
  options.http = std::move(*http);
  return url.empty() ? client::Endpoint(choice.child) : client::Endpoint(url);
}

Result<void> ClientCommand::resolve_qualified_name() {
  if (server_.chosen.is_set() || !qualified_name_ || !qualified_name_->contains('.')) return {};
  const auto loaded = load_servers(files());
  if (!loaded) return std::unexpected(loaded.error());
  auto found = split_qualified_name(loaded->config, *qualified_name_);
  if (!found) return std::unexpected(std::move(found.error()));
  *qualified_name_ = std::move(found->rest);
  server_.chosen.configured = std::move(found->server);
  return {};
}

client::Endpoint ClientCommand::configured_endpoint(const gateway::ServerConfig& server,
                                                    client::ClientOptions& options) {
  const auto whole = gateway::upstream_options(server);
  const auto& configured = whole.client;
  secrets_ = whole.secrets;
  options.http = configured.http;
  if (revision_.empty() && era_ == "auto") {
    options.era = configured.era;
    options.revision = configured.revision;
  }
  return gateway::endpoint_of(server);
}

int ClientCommand::run(const std::function<int(client::Client&)>& work) {
  if (auto found = resolve_qualified_name(); !found) return usage_error(found.error().message);
  if (const auto done = !server_.chosen.is_set() && no_server_action_ ? no_server_action_() : std::nullopt)
    return *done;
  auto choice = resolve_server_settings(server_);
  if (!choice) return usage_error(choice.error().message);
  echoes_stderr_ = !server_.chosen.command.empty();
  auto options = client_options(*choice);
  if (!options) return usage_error(options.error().message);
  auto server = server_.chosen.configured ? configured_endpoint(*server_.chosen.configured, *options)
                                          : endpoint(server_.chosen.url, *choice, *options);
  if (!server) return usage_error(server.error().message);
  ProgramLog log(choice->debug, LogLevel::warning);
  for (const auto& secret : secrets_) log.redactor().add_secret(secret);
  options->log = &log;
  auto outcome = run_once(*server, *options, work);
  if (outcome.error && sign_in_after(*outcome.error, log)) outcome = run_once(*server, *options, work);
  return outcome.error ? report_error(name_, error_message(*outcome.error), outcome.code) : outcome.code;
}

}  // namespace fairlead::cli
