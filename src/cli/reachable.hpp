#pragma once

#include <string>

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Whether a host, as a URL or a Host header has it, names a port.
bool has_port(const std::string& host);

/// The URL under which clients of other machines reach a listener. `url` is where it listens, as in
/// `http://0.0.0.0:8080`: the first of `allow_hosts`, or an address of this machine, takes the place of an address that
/// stands for all.
std::string reachable_url(const std::string& url, const gateway::ListenConfig& listen);

}  // namespace fairlead::cli
