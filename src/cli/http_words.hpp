#pragma once

#include <fairlead/base/debug_switch.hpp>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace fairlead::cli {

/// How a server of ours is served over HTTP; the server itself reads it.
struct HttpWords {
  std::string address = {}, workers = {}, certificate = {}, key = {}, client_ca = {}, keys = {};
  std::vector<std::string> hosts = {}, origins = {};
  bool insecure = false;
};

void add_http_options(Options& options, HttpWords& http);

/// The command line of a server: its name, what was decided about debugging, and how it is served.
std::vector<std::string> server_words(std::string name, const DebugDecision& debug, const HttpWords& http);

}  // namespace fairlead::cli
