#pragma once

#include <fairlead/http/message.hpp>
#include <span>

namespace fairlead::http {

/// The response to a WebSocket handshake: 101 or an error.
struct Upgrade {
  Response response;
  std::string subprotocol = {};
};

/// Selects the first subprotocol of the client that is supported; none if there is none.
Upgrade answer_upgrade(const Request& request, std::span<const std::string> subprotocols, bool http11);

}  // namespace fairlead::http
