#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/transport/child.hpp>
#include <fairlead/transport/http_client.hpp>
#include <map>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/log_options.hpp"

namespace fairlead::cli {

/// How a command reaches the server that its words name.
struct ServerOptions {
  std::string timeout = "30s";
  std::string framing = "line";
  std::string directory = {};
  std::vector<std::string> environment = {};
  bool json = false;
  LogOptions log = {};
};

void add_server_options(Options& options, ServerOptions& server);

/// How to reach a server at a URL.
struct UrlOptions {
  std::vector<std::string> headers = {};
  std::string bearer = {};
  std::string ca_file = {};
  std::string certificate_file = {};
  std::string key_file = {};
};

void add_url_options(Options& options, UrlOptions& at);

/// Takes the URL of a server out of a command's own words: the first that is one, unless a command is named. Empty for
/// none.
std::string take_url(Words& words);

/// An error is the user's.
Result<transport::HttpClientOptions> choose_http(const UrlOptions& at);

/// Variables as they are written, `NAME=value`. An error is the user's.
Result<std::map<std::string, std::string>> read_settings(const std::vector<std::string>& settings);

/// The same, understood.
struct ServerChoice {
  transport::ChildOptions child;
  Duration patience;
  DebugDecision debug;
};

/// An error is the user's: it says what to write instead. With a URL no command is needed.
Result<ServerChoice> choose_server(const ServerOptions& server, const Words& words, bool has_url = false);

}  // namespace fairlead::cli
