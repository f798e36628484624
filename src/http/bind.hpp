#pragma once

#include <cstdint>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/result.hpp>
#include <string>
#include <vector>

namespace fairlead::http {

/// Sockets that listen on one address and port.
struct Bound {
  std::vector<Descriptor> sockets;
  std::uint16_t port = 0;
};

/// `host` in digits; port 0 takes any free one. The kernel deals new connections out among the sockets.
Result<Bound> bind_port(const std::string& host, std::uint16_t port, std::size_t count);

}  // namespace fairlead::http
