#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/http/client.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {

/// What a server proves with that it has read the key (RFC 6455, section 4.2.2).
std::string websocket_accept(std::string_view key);

/// A key that nobody can foresee.
std::string websocket_key();

/// The subprotocol that the server has chosen, empty for none; or why its answer opens no WebSocket.
Result<std::string> check_websocket_answer(const ClientResponse& response, std::string_view key,
                                           const std::vector<std::string>& offered);

}  // namespace fairlead::http
