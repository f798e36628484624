#include "http/upgrade.hpp"

#include <algorithm>
#include <fairlead/base/base64.hpp>

#include "http/error_response.hpp"
#include "http/field_list.hpp"
#include "http/websocket_handshake.hpp"

namespace fairlead::http {
namespace {

// RFC 9110, section 15.5.22: the response names the protocol to upgrade to.
Upgrade upgrade_required(std::string_view why) {
  Upgrade upgrade{.response = error_response(426, why)};
  upgrade.response.headers = {{"Upgrade", "websocket"}, {"Connection", "Upgrade"}, {"Sec-WebSocket-Version", "13"}};
  return upgrade;
}

bool is_key(std::string_view key) {
  const auto bytes = base64_decode(key);
  return bytes && bytes->size() == 16;
}

std::string choose(const Request& request, std::span<const std::string> known) {
  for (const auto& field : request.headers) {
    if (!protocol::same_header(field.name, "Sec-WebSocket-Protocol")) continue;
    auto rest = field.value;
    while (!rest.empty()) {
      const auto comma = std::min(rest.find(','), rest.size());
      const auto offered = protocol::trim_header(rest.substr(0, comma));
      // Case-sensitive.
      if (std::ranges::find(known, offered) != known.end()) return std::string(offered);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return {};
}

}  // namespace

Upgrade answer_upgrade(const Request& request, std::span<const std::string> subprotocols, bool http11) {
  if (request.method != "GET" || !http11)
    return {.response = error_response(400, "A WebSocket handshake needs GET and HTTP/1.1.")};
  if (!list_has(request.header("Upgrade").value_or(""), "websocket") ||
      !list_has(request.header("Connection").value_or(""), "upgrade")) {
    return upgrade_required("Only WebSockets are served here: send Upgrade: websocket and Connection: Upgrade.");
  }
  if (request.header("Sec-WebSocket-Version") != "13") return upgrade_required("Use Sec-WebSocket-Version: 13.");
  const auto key = request.header("Sec-WebSocket-Key").value_or("");
  if (request.count("Sec-WebSocket-Key") != 1 || !is_key(key)) {
    return {.response = error_response(400, "Sec-WebSocket-Key must be sixteen bytes in base64.")};
  }
  Upgrade upgrade{.response = {.status = 101}, .subprotocol = choose(request, subprotocols)};
  upgrade.response.headers = {
      {"Upgrade", "websocket"}, {"Connection", "Upgrade"}, {"Sec-WebSocket-Accept", websocket_accept(key)}};
  if (!upgrade.subprotocol.empty()) {
    upgrade.response.headers.push_back({"Sec-WebSocket-Protocol", upgrade.subprotocol});
  }
  return upgrade;
}

}  // namespace fairlead::http
