#pragma once

#include <fairlead/http/message.hpp>
#include <span>
#include <string>

namespace fairlead::http {

/// The answer to somebody who wants a WebSocket: 101, or what is wrong.
struct Upgrade {
  Response response;
  std::string subprotocol = {};
};

/// Chooses the first of the client's subprotocols that is known; none if none is.
Upgrade answer_upgrade(const Request& request, std::span<const std::string> subprotocols, bool modern);

}  // namespace fairlead::http
