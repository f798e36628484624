#pragma once

#include <fairlead/base/debug_options.hpp>

#include "cli/options.hpp"

namespace fairlead::cli {

/// HTTP options of the built-in servers. They are passed on as arguments, which the server library parses.
struct HttpServeOptions {
  std::string address = {}, workers = {}, certificate = {}, key = {}, client_ca = {}, keys = {};
  std::string public_url = {};
  std::vector<std::string> oauth_issuers = {}, oauth_scopes = {}, hosts = {}, origins = {};
  bool insecure = false;
};

void add_http_options(Options& options, HttpServeOptions& http);

/// Command line for the server library: its name, the debug option and the HTTP options.
std::vector<std::string> server_arguments(std::string name, const DebugDecision& debug, const HttpServeOptions& http);

}  // namespace fairlead::cli
