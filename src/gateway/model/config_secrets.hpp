#pragma once

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Adds the secret parts of a header value.
void add_secrets(std::vector<std::string>& secrets, const std::string& value);

/// Adds the values that child processes inherit from the environment under names of secrets.
void add_inherited_secrets(std::vector<std::string>& secrets);

/// Secrets that one server receives in headers, its URL or its environment, longest first.
std::vector<std::string> secrets_of(const ServerConfig& config);

/// Values that the gateway must not disclose: everything that servers get in headers and in their environment, and
/// inherited variables with names of secrets.
std::vector<std::string> known_secrets(const GatewayConfig& config);

/// The subset of known_secrets that is redacted in log lines: without harmless values of the environment such as
/// `true`, `8080` or `/usr/bin`.
std::vector<std::string> secrets_in_logs(const GatewayConfig& config);

}  // namespace fairlead::gateway
