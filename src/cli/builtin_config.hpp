#pragma once

#include <string>

namespace fairlead::cli {

/// The YAML configuration for users who have none: the demo server behind a small chain, on every transport.
std::string builtin_config();

/// A shell command that calls the demo server's echo tool at that URL.
std::string curl_example(const std::string& mcp_url);

}  // namespace fairlead::cli
