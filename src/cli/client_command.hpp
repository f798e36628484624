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

  /// Reaches the server and lets `work` talk to it. Whatever fails becomes a line on stderr and an exit code.
  int run(const Words& given, const std::function<int(client::Client&)>& work);

  /// For calls that take a while: progress is told on stderr.
  static client::CallOptions with_progress();

  /// A mistake of the user's, and its exit code.
  int refuse(std::string_view reason) const;

 private:
  Result<client::ClientOptions> client_options(const ServerChoice& choice) const;
  int talk(client::Client& client, const std::function<int(client::Client&)>& work) const;

  std::string name_;
  Options options_;
  ServerOptions server_;
  UrlOptions url_options_;
  UserOptions user_;
  std::string era_ = "auto";
  std::string revision_;
  std::string log_level_;
};

}  // namespace fairlead::cli
