#include "cli/client_command.hpp"

#include <boost/json.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/json/reflect.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>
#include <optional>
#include <utility>

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
  return static_cast<protocol::LoggingLevel>(found - Levels::names.begin());
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

// What a server says besides its message is often the reason; more than a few lines of it help nobody.
std::string details(const std::string& data) {
  constexpr std::size_t most = 1000;
  if (data.empty()) return "";
  const auto payload = json::Payload::trusted(data);
  const auto* object = payload.value().if_object();
  const auto& said = object != nullptr && object->size() == 1 ? object->begin()->value() : payload.value();
  const auto text = said.is_string() ? std::string(said.get_string()) : data;
  return " (" + text.substr(0, most) + ")";
}

std::string explained(const Error& error) {
  if (error.kind == ErrorKind::timeout) return error.message + "; --timeout gives the server longer";
  // A positive code is the status of an answer without an error of its own.
  if (error.kind == ErrorKind::refused && error.code < 0) {
    return fmt::format("the server answered with error {}: {}{}", error.code, for_terminal(error.message),
                       for_terminal(details(error.data)));
  }
  return for_terminal(error.message);
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
    complain(name_ + ": " + explained(gateway::without(secrets_, failure.error())));
    return exit_code::failed;
  }
}

void ClientCommand::may_name_server(std::string& word) {
  server_word_ = &word;
  options_.list("-c", files_, "where <server>.<tool> is configured; otherwise in your own file", "<file>");
}

Result<client::Endpoint> ClientCommand::endpoint(const std::string& url, const ServerChoice& choice,
                                                 client::ClientOptions& options) const {
  auto http = choose_http(url_options_);
  if (!http) return std::unexpected(std::move(http.error()));
  options.http = std::move(*http);
  return url.empty() ? client::Endpoint(choice.child) : client::Endpoint(url);
}

Result<client::Endpoint> ClientCommand::configured_endpoint(client::ClientOptions& options) {
  const auto loaded = load_servers(files_);
  if (!loaded) return std::unexpected(loaded.error());
  auto found = split_server_word(loaded->config, *server_word_);
  if (!found) return std::unexpected(std::move(found.error()));
  *server_word_ = std::move(found->rest);
  const auto whole = gateway::upstream_options(found->server);
  const auto& configured = whole.client;
  secrets_ = whole.secrets;
  options.http = configured.http;
  if (revision_.empty() && era_ == "auto") {
    options.era = configured.era;
    options.revision = configured.revision;
  }
  return gateway::endpoint_of(found->server);
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
  if (const auto done = options_.parse(words.own)) return *done;
  const bool configured = server_word_ && url.empty() && words.child.empty() && server_word_->contains('.');
  auto choice = choose_server(server_, words, !url.empty() || configured);
  if (!choice) return refuse(choice.error().message);
  auto options = client_options(*choice);
  if (!options) return refuse(options.error().message);
  auto server = configured ? configured_endpoint(*options) : endpoint(url, *choice, *options);
  if (!server) return refuse(server.error().message);
  ProgramLog log(choice->debug, LogLevel::warning);
  for (const auto& secret : secrets_) log.redactor().add_secret(secret);
  options->log = &log;
  std::optional<client::Client> client;
  try {
    client.emplace(*std::move(server), std::move(*options));
  } catch (const client::Failure& failure) {
    complain(fmt::format("{}: {}", name_, explained(gateway::without(secrets_, failure.error()))));
    return exit_code::unreachable;
  }
  return talk(*client, work);
}

}  // namespace fairlead::cli
