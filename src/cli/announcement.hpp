#pragma once

#include <string>

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// An entry to paste into the configuration of a client, on one line. `key` goes into a header; none if it is empty.
std::string client_snippet(const std::string& name, const std::string& url, const std::string& key);

/// Says on stderr where the gateway is, and what to give to a client. `url` is empty without HTTP.
void announce(const gateway::GatewayConfig& config, const std::string& url);

}  // namespace fairlead::cli
