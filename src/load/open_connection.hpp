#pragma once

#include <fairlead/http/tls.hpp>
#include <fairlead/transport/child.hpp>
#include <optional>

#include "load/http_request.hpp"
#include "load/load_connection.hpp"
#include "load/messages.hpp"

namespace fairlead::load {

/// The server under load: a URL, or a command that starts it.
struct LoadTarget {
  std::optional<http::Url> url = {};
  std::vector<http::Header> headers = {};
  std::optional<http::TlsClient> tls = {};
  transport::ChildOptions child = {};  ///< Without a command, the server is at the URL.

  bool is_command() const { return !child.command.empty(); }
  /// True if a connection can carry concurrent calls.
  bool is_websocket() const { return url && url->scheme.starts_with("ws"); }
};

/// Parses the URL and loads the TLS settings.
Result<LoadTarget> target_at(const std::string& url, std::vector<http::Header> headers,
                             const http::TlsClientOptions& tls);

/// What the connections of a run send.
struct CallStyle {
  LoadCall call = {};
  const protocol::Revision* revision = &protocol::newest_handshake();
  unsigned in_flight = 1;
  std::optional<std::size_t> progress = {};  ///< Progress notifications per call; checked over HTTP.
};

struct OpenedConnection {
  std::unique_ptr<LoadConnection> connection;
  std::string close_request = {};  ///< Sent before the connection is closed.
};

/// Connects and initializes. `number` identifies the connection within the run.
Result<OpenedConnection> open_connection(const LoadTarget& target, const CallStyle& style, unsigned number);
/// Initializes a connection to a child process.
Result<OpenedConnection> open_connection(RawConnection raw, const CallStyle& style);

/// Opens a session with a GET stream for notifications, on one connection.
Result<RawConnection> open_idle_stream(const LoadTarget& target);

}  // namespace fairlead::load
