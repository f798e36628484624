#pragma once

#include <string>

namespace fairlead::http {

/// True for an IPv4 address or an IPv6 address without brackets.
bool is_ip_address(const std::string& host);
/// True for a loopback address or localhost.
bool is_loopback(const std::string& host);
/// The host as written in a URL: IPv6 in brackets.
std::string in_url(const std::string& host);
/// Removes the brackets of an IPv6 address.
std::string without_brackets(std::string host);

}  // namespace fairlead::http
