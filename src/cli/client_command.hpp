#pragma once

#include <fairlead/client.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/server_options.hpp"
#include "cli/user.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// A command that talks to one server: what all of them take, and how all of them end.
class ClientCommand {
 public:
  /// See Options.
  ClientCommand(std::string usage, std::string summary, std::string examples);

  Options& options() { return options_; }
  bool json() const { return server_.json; }

  /// The configuration files that were named.
  const std::vector<std::string>& files() const { return server_.log.files; }

  /// Where no server is named otherwise, `word` may name a configured one and what it is asked for: `files.read`. The
  /// server's part is taken out of it.
  void may_name_server(std::string& word) { server_word_ = &word; }

  /// What to do where no server is named at all; without it, or where it returns nothing, the user is told to name one.
  void without_server(std::function<std::optional<int>()> otherwise) { otherwise_ = std::move(otherwise); }

  /// An error in words for people.
  std::string reason_of(const Error& error) const;

  /// Reaches the server and lets `work` talk to it. Whatever fails becomes a line on stderr and an exit code.
  int run(const Words& given, const std::function<int(client::Client&)>& work);

  /// For calls that take a while: progress is told on stderr.
  static client::CallOptions with_progress();

  /// A mistake of the user's, and its exit code.
  int refuse(std::string_view reason) const;

 private:
  /// Where the server is, and in the options how to reach it.
  Result<client::Endpoint> endpoint(const std::string& url, const ServerChoice& choice,
                                    client::ClientOptions& options) const;
  /// The server that the command line names: a configured one, unless a URL or a command is given.
  Result<std::optional<gateway::ServerConfig>> configured(const std::string& url, const Words& words);
  client::Endpoint configured_endpoint(const gateway::ServerConfig& server, client::ClientOptions& options);
  Result<client::ClientOptions> client_options(const ServerChoice& choice) const;
  /// As the user may see it.
  Error shown(Error error) const;
  int talk(client::Client& client, const std::function<int(client::Client&)>& work) const;

  std::string name_;
  Options options_;
  ServerOptions server_;
  UrlOptions url_options_;
  UserOptions user_;
  std::string* server_word_ = nullptr;
  std::function<std::optional<int>()> otherwise_;
  std::vector<std::string> secrets_;  // What a configured server is told, and no error may repeat.
  bool prints_stderr_ = false;        // What the server prints there is on ours already.
  std::string era_ = "auto";
  std::string revision_;
  std::string log_level_;
};

}  // namespace fairlead::cli
