#include "http/address.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <cstring>

namespace fairlead::http {
namespace {

struct Block {
  std::uint32_t prefix;
  unsigned bits;
};

// IANA IPv4 Special-Purpose Address Registry (RFC 6890), and multicast.
constexpr auto special_blocks = std::to_array<Block>({
    {0x00000000, 8},   // this network
    {0x0A000000, 8},   // private
    {0x64400000, 10},  // carrier-grade NAT
    {0x7F000000, 8},   // loopback
    {0xA9FE0000, 16},  // link-local
    {0xAC100000, 12},  // private
    {0xC0000000, 24},  // protocol assignments
    {0xC0000200, 24},  // documentation
    {0xC0586300, 24},  // 6to4 relays
    {0xC0A80000, 16},  // private
    {0xC6120000, 15},  // benchmarks
    {0xC6336400, 24},  // documentation
    {0xCB007100, 24},  // documentation
    {0xE0000000, 3},   // multicast and reserved
});

bool is_public_v4(std::uint32_t address) {
  return std::ranges::none_of(special_blocks,
                              [&](const Block& block) { return (address ^ block.prefix) >> (32 - block.bits) == 0; });
}

std::uint32_t word(const in6_addr& address, std::size_t index) {
  std::uint32_t value = 0;
  std::memcpy(&value, address.s6_addr + 4 * index, sizeof value);
  return ntohl(value);
}

bool is_public_v6(const in6_addr& address) {
  const auto first = word(address, 0);
  const bool is_nat64 = first == 0x0064FF9B && word(address, 1) == 0 && word(address, 2) == 0;
  if (IN6_IS_ADDR_V4MAPPED(&address) || is_nat64) return is_public_v4(word(address, 3));
  if (first >> 16U == 0x2002) return false;           // 6to4, which contains an IPv4 address.
  if (first >> 9U == 0x20010000 >> 9U) return false;  // Protocol assignments, Teredo among them.
  if (first == 0x20010DB8) return false;              // Documentation.
  return first >> 29U == 1;                           // 2000::/3, the only block for global unicast.
}

}  // namespace

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

bool is_public_address(const std::string& address) {
  in_addr four = {};
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return is_public_v4(ntohl(four.s_addr));
  in6_addr six = {};
  return ::inet_pton(AF_INET6, address.c_str(), &six) == 1 && is_public_v6(six);
}

std::string in_url(const std::string& host) {
  return host.contains(':') ? "[" + host + "]" : host;
}

std::string without_brackets(std::string host) {
  if (host.starts_with('[') && host.ends_with(']')) return host.substr(1, host.size() - 2);
  return host;
}

}  // namespace fairlead::http
