#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {

/// How clients reach the gateway, as options of the command line say. What is empty stays as the configuration has it.
struct ListenWords {
  std::string host = {}, port = {}, path = {}, keys = {}, certificate = {}, private_key = {}, client_ca = {};
  std::vector<std::string> hosts = {}, origins = {};
  bool stdio = false, insecure = false;
};

void add_listen_options(Options& options, ListenWords& words);

/// Puts the options over the configuration, and notes among its sources that they come from the command line. An error
/// is the user's.
Result<void> listen_as_told(const ListenWords& words, gateway::Loaded& loaded);

}  // namespace fairlead::cli
