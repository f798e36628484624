#pragma once

#include <string>
#include <vector>

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// What of a header's value nobody but its server may see.
void add_secrets(std::vector<std::string>& secrets, const std::string& value);

/// What children inherit of our own environment under a name that tells of a secret.
void add_inherited_secrets(std::vector<std::string>& secrets);

/// What a server is told of us, and nobody else may be: in headers, in its URL, in its environment.
std::vector<std::string> secrets_of(const ServerConfig& config);

}  // namespace fairlead::gateway
