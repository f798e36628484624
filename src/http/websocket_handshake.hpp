#pragma once

#include <fairlead/http/client.hpp>

namespace fairlead::http {

/// Value of Sec-WebSocket-Accept for a key (RFC 6455, section 4.2.2).
std::string websocket_accept(std::string_view key);

/// A random Sec-WebSocket-Key.
std::string websocket_key();

/// Checks the response to a handshake; returns the selected subprotocol, empty for none.
Result<std::string> check_websocket_answer(const ClientResponse& response, std::string_view key,
                                           const std::vector<std::string>& offered);

}  // namespace fairlead::http
