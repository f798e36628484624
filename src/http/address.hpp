#pragma once

#include <string>

namespace fairlead::http {

/// In digits, the newer kind without brackets.
bool is_ip_address(const std::string& host);
/// Whether only this machine can reach it.
bool is_loopback(const std::string& host);
/// As a URL has it: the newer kind in brackets.
std::string in_url(const std::string& host);
/// Without such brackets.
std::string without_brackets(std::string host);

}  // namespace fairlead::http
