#pragma once

#include <algorithm>
#include <fairlead/protocol/headers.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// Adds a header and replaces one of the same name.
inline void put_header(std::vector<protocol::Header>& headers, const protocol::Header& header) {
  std::erase_if(headers, [&](const auto& other) { return protocol::same_header(other.name, header.name); });
  headers.push_back(header);
}

/// All headers that the chain adds to a call.
inline std::vector<protocol::Header> added_headers(const session::Call& call) {
  std::vector<protocol::Header> together;
  for (const auto& added : call.context.added_headers) {
    for (const auto& header : added->headers) put_header(together, header);
  }
  return together;
}

}  // namespace fairlead::gateway
