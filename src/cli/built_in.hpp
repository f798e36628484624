#pragma once

#include <string>

namespace fairlead::cli {

/// The configuration of those who have none, as YAML: this program's demo server behind a small chain, on every
/// transport.
std::string built_in_config();

/// A line for a shell that calls the demo server's echo at that address.
std::string curl_line(const std::string& mcp_url);

}  // namespace fairlead::cli
