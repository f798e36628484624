#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/transport/child.hpp>
#include <fairlead/transport/http_client.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/log_options.hpp"
#include "cli/named_server.hpp"

namespace fairlead::cli {

/// Options for a server at a URL.
struct UrlOptions {
  std::vector<std::string> headers = {};
  std::string bearer = {};
  std::string ca_file = {};
  std::string certificate_file = {};
  std::string key_file = {};
};

/// Options of commands that talk to one server, as given on the command line.
struct ServerOptions {
  std::string timeout = "30s";
  std::string framing = "line";
  std::string directory = {};
  std::vector<std::string> environment = {};
  bool json = false;
  LogOptions log = {};
  UrlOptions url = {};
  std::string account = {};  ///< Which login at a server that requires OAuth.
  ChosenServer chosen = {};
};

void add_server_options(Options& options, ServerOptions& server);

void add_url_options(Options& options, UrlOptions& at);
/// Adds the part of add_url_options() about TLS.
void add_tls_options(Options& options, UrlOptions& at);

/// Whether an argument starts like the URL of a server.
bool is_url(std::string_view word);

/// Finds the first argument that is the URL of a server, and removes it. Empty if there is none, or if a server command
/// is given.
std::string extract_url(Args& args);

/// Converts the options. The error is for the user.
Result<transport::HttpClientOptions> http_client_options(const UrlOptions& at);

/// Parses environment variables written as `NAME=value`. The error is for the user.
Result<std::map<std::string, std::string>> read_settings(const std::vector<std::string>& settings);

/// ServerOptions, parsed.
struct ServerSettings {
  transport::ChildOptions child;
  Duration timeout;
  DebugDecision debug;
};

/// Parses the options. The error tells the user what to change. `child` is set if a server command was given.
Result<ServerSettings> resolve_server_settings(const ServerOptions& server);

}  // namespace fairlead::cli
