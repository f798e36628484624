#pragma once

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Whether a host, as in a URL or a Host header, contains a port.
bool has_port(const std::string& host);

/// The URL under which clients on other machines reach a listener. A wildcard address in `url`, such as
/// `http://0.0.0.0:8080`, is replaced by the first of `allow_hosts` or by an address of this machine. `public_url`
/// wins.
std::string reachable_url(const std::string& url, const ListenConfig& listen);

}  // namespace fairlead::gateway
