#include "cli/client_command.hpp"

#include <fairlead/base/diagnosis.hpp>
#include <fairlead/json/reflect.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "cli/explained.hpp"
#include "cli/named_server.hpp"
#include "cli/output.hpp"
#include "cli/servers_file.hpp"
#include "cli/show.hpp"
#include "cli/version.hpp"
#include "gateway/endpoint.hpp"
#include "gateway/upstream/failure.hpp"

namespace fairlead::cli {
namespace {

using Levels = json::Enumerators<protocol::LoggingLevel>;

protocol::LoggingLevel level_named(std::string_view name) {
  const auto found = std::ranges::find(Levels::names, name);
  return Levels::values[static_cast<std::size_t>(found - Levels::names.begin())];
}

client::Era era_named(std::string_view name) {
  if (name == "handshake") return client::Era::handshake;
  return name == "stateless" ? client::Era::stateless : client::Era::automatic;
}

std::string known_revisions() {
  std::string names;
  for (const auto& revision : protocol::revisions()) names.append(names.empty() ? "" : ", ").append(revision.name);
  return names;
}

}  // namespace

ClientCommand::ClientCommand(std::string usage, std::string summary, std::string examples)
    : name_("fairlead " + usage.substr(0, usage.find(' '))),
      options_(std::move(usage), std::move(summary), std::move(examples)) {}

client::CallOptions ClientCommand::with_progress() {
  client::CallOptions options;
  options.on_progress = [](const protocol::ProgressParams& progress) { complain(show(progress)); };
  return options;
}

int ClientCommand::refuse(std::string_view reason) const {
  complain(fmt::format("{}: {}; see {} --help", name_, reason, name_));
  return exit_code::usage;
}

Result<client::ClientOptions> ClientCommand::client_options(const ServerChoice& choice) const {
  if (!revision_.empty() && protocol::find_revision(revision_) == nullptr) {
    return fail(ErrorKind::invalid, fmt::format("--revision '{}' is none of {}", revision_, known_revisions()));
  }
  client::ClientOptions options;
  options.self.version = version;
  options.era = era_named(era_);
  options.revision = revision_;
  options.patience.idle = choice.patience;
  options.patience.cap = std::max(options.patience.cap, choice.patience);
  options.probe = std::min(options.probe, choice.patience);
  options.reconnect = false;
  options.on_log = [](const protocol::LoggingMessageParams& message) { complain(show(message)); };
  add_user(options, user_);
  return options;
}

int ClientCommand::talk(client::Client& client, const std::function<int(client::Client&)>& work) const {
  try {
    if (!log_level_.empty()) client.set_log_level(level_named(log_level_));
    return work(client);
  } catch (const client::Failure& failure) {
    complain(name_ + ": " + reason_of(failure.error()));
    return exit_code::failed;
  }
}

Error ClientCommand::shown(Error error) const {
  error = gateway::without(secrets_, std::move(error));
  return prints_stderr_ ? without_output(std::move(error)) : error;
}

std::string ClientCommand::reason_of(const Error& error) const {
  return explained(shown(error));
}

Result<client::Endpoint> ClientCommand::endpoint(const std::string& url, const ServerChoice& choice,
                                                 client::ClientOptions& options) const {
  auto http = choose_http(url_options_);
  if (!http) return std::unexpected(std::move(http.error()));
  options.http = std::move(*http);
  return url.empty() ? client::Endpoint(choice.child) : client::Endpoint(url);
}

Result<std::optional<gateway::ServerConfig>> ClientCommand::configured(const std::string& url, const Words& words) {
  if (!url.empty() || !words.child.empty() || !server_word_ || !server_word_->contains('.')) return std::nullopt;
  const auto loaded = load_servers(files());
  if (!loaded) return std::unexpected(loaded.error());
  auto found = split_server_word(loaded->config, *server_word_);
  if (!found) return std::unexpected(std::move(found.error()));
  *server_word_ = std::move(found->rest);
  return std::move(found->server);
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

int ClientCommand::run(const Words& given, const std::function<int(client::Client&)>& work) {
  add_server_options(options_, server_);
  add_url_options(options_, url_options_);
  options_.choice("--era", era_, "shake hands, or do without; otherwise the server is asked",
                  {"auto", "handshake", "stateless"});
  options_.text("--revision", revision_, "the only revision of MCP to speak", "<revision>");
  options_.choice("--log-level", log_level_, "have the server's log messages on stderr, from this level on",
                  {Levels::names.begin(), Levels::names.end()});
  options_.list("--answer", user_.answers, "what to fill in where the server asks with a form", "<field=value>");
  options_.text("--sample", user_.sampled, "what to say where the server asks for a model", "<text>");
  options_.list("--root", user_.roots, "a root to tell the server of", "<uri>");
  auto words = given;
  const auto url = take_url(words);
  Result<std::optional<gateway::ServerConfig>> named;
  if (url.empty() && words.child.empty()) named = take_named_server(words.own, options_);
  if (!named) return refuse(named.error().message);
  if (const auto done = options_.parse(words.own)) return *done;
  if (!*named) named = configured(url, words);
  if (!named) return refuse(named.error().message);
  const bool is_named = !url.empty() || !words.child.empty() || *named;
  if (const auto done = !is_named && otherwise_ ? otherwise_() : std::nullopt) return *done;
  auto choice = choose_server(server_, words, !url.empty() || *named);
  if (!choice) return refuse(choice.error().message);
  prints_stderr_ = !words.child.empty();
  auto options = client_options(*choice);
  if (!options) return refuse(options.error().message);
  auto server = *named ? configured_endpoint(**named, *options) : endpoint(url, *choice, *options);
  if (!server) return refuse(server.error().message);
  ProgramLog log(choice->debug, LogLevel::warning);
  for (const auto& secret : secrets_) log.redactor().add_secret(secret);
  options->log = &log;
  std::optional<client::Client> client;
  try {
    client.emplace(*std::move(server), std::move(*options));
  } catch (const client::Failure& failure) {
    complain(fmt::format("{}: {}", name_, reason_of(failure.error())));
    return exit_code::unreachable;
  }
  return talk(*client, work);
}

}  // namespace fairlead::cli
