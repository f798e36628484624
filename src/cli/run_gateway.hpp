#pragma once

#include <fairlead/base/debug_options.hpp>

#include "gateway/app/gateway_app.hpp"

namespace fairlead::cli {

/// Text to print once the gateway listens, after the banner. Called with the URL of the /mcp endpoint.
using ExtraBanner = std::function<std::string(const std::string& mcp_url)>;

/// Runs the gateway until a signal stops it, and returns the exit code. The banner, on stderr, has the URLs and a
/// client configuration.
int run_gateway(gateway::AppOptions app, const DebugDecision& debug, bool show_banner, const ExtraBanner& extra = {});

}  // namespace fairlead::cli
