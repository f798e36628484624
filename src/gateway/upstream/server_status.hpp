#pragma once

#include "gateway/upstream/managed_backend.hpp"

namespace fairlead::gateway {

/// The status of a configured server, for operators.
struct ServerStatus {
  std::string name;
  std::string address;       ///< The URL, or the command without arguments, which may contain secrets.
  std::string transport;     ///< `stdio`, or the scheme of the URL.
  std::size_t restarts = 0;  ///< Across reloads.
  std::vector<UpstreamState> states = {};
};

}  // namespace fairlead::gateway
