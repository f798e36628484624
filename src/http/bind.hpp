#pragma once

#include <cstdint>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/result.hpp>
#include <string>
#include <vector>

namespace fairlead::http {

/// Value of `Error::cause` if another process uses the port.
inline constexpr std::uint8_t cause_port_in_use = 1;

/// Listening sockets on one address and port.
struct Bound {
  std::vector<Descriptor> sockets;
  std::uint16_t port = 0;
};

/// `host` is an IP address; port 0 selects a free port. The kernel distributes new connections among the sockets.
Result<Bound> bind_port(const std::string& host, std::uint16_t port, std::size_t count);

}  // namespace fairlead::http
