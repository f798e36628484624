#pragma once

#include <string>

namespace fairlead::http {

/// True for an IPv4 address or an IPv6 address without brackets.
bool is_ip_address(const std::string& host);
/// True for a loopback address or localhost.
bool is_loopback(const std::string& host);
/// True for an address that is routed on the Internet. False for loopback, private, link-local, carrier-grade NAT,
/// test, multicast and reserved addresses, also where an IPv6 address contains one, and for text that is not an
/// address.
bool is_public_address(const std::string& address);
/// The host as written in a URL: IPv6 in brackets.
std::string in_url(const std::string& host);
/// Removes the brackets of an IPv6 address.
std::string without_brackets(std::string host);

}  // namespace fairlead::http
