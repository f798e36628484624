#pragma once

#include <fairlead/http/tls.hpp>
#include <optional>
#include <string>
#include <vector>

#include "load/http_request.hpp"
#include "load/lane.hpp"
#include "load/messages.hpp"

namespace fairlead::load {

/// Where the server is: at a URL, or behind a command that starts it.
struct Target {
  std::optional<http::Url> url = {};
  std::vector<http::Header> headers = {};
  std::optional<http::TlsClient> tls = {};
  std::vector<std::string> command = {};

  /// Whether a connection carries many calls at once.
  bool is_websocket() const { return url && url->scheme.starts_with("ws"); }
};

/// An error says what to write instead.
Result<Target> target_at(const std::string& url, std::vector<http::Header> headers, const http::TlsClientOptions& tls);

/// How a lane talks.
struct LaneStyle {
  Call call = {};
  const protocol::Revision* revision = &protocol::newest_handshake();
  unsigned in_flight = 1;
  std::optional<std::size_t> progress = {};  ///< Notifications that every answer brings, for HTTP to check.
};

struct OpenLane {
  std::unique_ptr<Lane> lane;
  std::string farewell = {};  ///< To be sent before hanging up.
};

/// Connects and shakes hands; `number` tells the connections of a run apart.
Result<OpenLane> open_lane(const Target& target, const LaneStyle& style, unsigned number);
/// The same over the pipes of a child.
Result<OpenLane> open_lane(ByteLine line, const LaneStyle& style);

/// A session with a stream that waits for what the server has to say, on one connection.
Result<ByteLine> open_idle_stream(const Target& target);

}  // namespace fairlead::load
