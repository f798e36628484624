#pragma once

#include <fairlead/client.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "cli/server_options.hpp"
#include "cli/user.hpp"

namespace fairlead::cli {

/// A command that talks to one server: what all of them take, and how all of them end.
class ClientCommand {
 public:
  /// See Options.
  ClientCommand(std::string usage, std::string summary, std::string examples);

  Options& options() { return options_; }
  bool json() const { return server_.json; }

  /// Without a URL or a command, `word` names a configured server and what it is asked for: `files.read`. The server's
  /// part is taken out of it.
  void may_name_server(std::string& word);

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
  Result<client::Endpoint> configured_endpoint(client::ClientOptions& options);
  Result<client::ClientOptions> client_options(const ServerChoice& choice) const;
  int talk(client::Client& client, const std::function<int(client::Client&)>& work) const;

  std::string name_;
  Options options_;
  ServerOptions server_;
  UrlOptions url_options_;
  UserOptions user_;
  std::string* server_word_ = nullptr;
  std::vector<std::string> files_;
  std::vector<std::string> secrets_;  // What a configured server is told, and no error may repeat.
  std::string era_ = "auto";
  std::string revision_;
  std::string log_level_;
};

}  // namespace fairlead::cli
