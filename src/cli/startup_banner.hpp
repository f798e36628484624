#pragma once

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// One line of JSON to paste into a client's configuration. `key` becomes an Authorization header, unless it is empty.
std::string client_config_snippet(const std::string& name, const std::string& url, const std::string& key);

/// Prints the gateway's URLs and a client configuration to stderr. `url` is empty without HTTP.
void print_startup_banner(const gateway::GatewayConfig& config, const std::string& url);

}  // namespace fairlead::cli
