#pragma once

#include <fairlead/auth/oauth.hpp>
#include <fairlead/client.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/interactive_answers.hpp"
#include "cli/server_options.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Base of the options of commands that talk to one server: their common options, connecting, and exit codes.
class ClientCommand {
 public:
  /// Adds the options that all these commands have.
  void add_options(Options& options);

  bool json() const { return server_.json; }
  const LogOptions& log() const { return server_.log; }
  /// True if a configured server, a URL or a server command was given.
  bool has_server() const { return server_.chosen.is_set(); }

  /// The configuration files given with -c.
  const std::vector<std::string>& files() const { return server_.log.files; }

  /// If no server is given otherwise, `word` may be `<server>.<name>`, such as `files.read`. The part that names the
  /// configured server is removed from it.
  void accept_qualified_name(std::string& word) { qualified_name_ = &word; }

  /// Called if no server is given. Without it, or if it returns nothing, the command prints a usage error.
  void set_no_server_action(std::function<std::optional<int>()> otherwise) { no_server_action_ = std::move(otherwise); }

  /// The error as shown to the user, without secrets.
  std::string error_message(const Error& error) const;

  /// Connects to the server and calls `work`. A failure is printed to stderr and returned as an exit code.
  int run(const std::function<int(client::Client&)>& work);

  /// Call options that print progress to stderr.
  static client::CallOptions progress_options();

  /// Prints a usage error and returns its exit code.
  int usage_error(std::string_view reason) const;

 private:
  /// The server's endpoint. Sets the HTTP options in `options`.
  Result<client::Endpoint> endpoint(const std::string& url, const ServerSettings& choice,
                                    client::ClientOptions& options) const;
  /// If no server is chosen, chooses the configured server that the qualified name starts with.
  Result<void> resolve_qualified_name();
  client::Endpoint configured_endpoint(const gateway::ServerConfig& server, client::ClientOptions& options);
  Result<client::ClientOptions> client_options(const ServerSettings& choice) const;
  /// Removes secrets and output that was already printed.
  Error redacted(Error error) const;
  struct Outcome {
    int code = 0;
    std::optional<Error> error = {};  ///< Not printed yet.
  };
  /// Connects, with the user's login, and calls `work`.
  Outcome run_once(const client::Endpoint& server, client::ClientOptions options,
                   const std::function<int(client::Client&)>& work) const;
  auth::OAuthOptions with_account(auth::OAuthOptions options) const;
  /// Signs in on the terminal if that resolves the error. Returns whether it did.
  bool sign_in_after(const Error& error, ProgramLog& log) const;

  std::string name_;  // Of the command.
  ServerOptions server_;
  InteractiveOptions user_;
  std::string* qualified_name_ = nullptr;
  std::function<std::optional<int>()> no_server_action_;
  std::vector<std::string> secrets_;  // Of the configured server; never printed in errors.
  bool echoes_stderr_ = false;        // The server's stderr is already copied to ours.
  std::string era_ = "auto";
  std::string revision_;
  std::string log_level_;
};

}  // namespace fairlead::cli
