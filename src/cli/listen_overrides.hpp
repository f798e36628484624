#pragma once

#include "cli/options.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {

/// Listen options from the command line. Empty values leave the configuration unchanged.
struct ListenOverrides {
  std::string host = {}, port = {}, path = {}, keys = {}, certificate = {}, private_key = {}, client_ca = {};
  std::vector<std::string> hosts = {}, origins = {};
  bool stdio = false, insecure = false;
};

void add_listen_options(Options& options, ListenOverrides& flags);

/// Applies the options to the configuration and records the command line as their source. The error is for the user.
Result<void> apply_listen_overrides(const ListenOverrides& flags, gateway::LoadedConfig& loaded);

}  // namespace fairlead::cli
