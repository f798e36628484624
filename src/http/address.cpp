#include "http/address.hpp"

#include <arpa/inet.h>

namespace fairlead::http {

bool is_ip_address(const std::string& host) {
  in_addr four = {};
  in6_addr six = {};
  return ::inet_pton(AF_INET, host.c_str(), &four) == 1 || ::inet_pton(AF_INET6, host.c_str(), &six) == 1;
}

bool is_loopback(const std::string& host) {
  in_addr four = {};
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  in6_addr six = {};
  return ::inet_pton(AF_INET6, host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

std::string in_url(const std::string& host) {
  return host.contains(':') ? "[" + host + "]" : host;
}

std::string without_brackets(std::string host) {
  if (host.starts_with('[') && host.ends_with(']')) return host.substr(1, host.size() - 2);
  return host;
}

}  // namespace fairlead::http
