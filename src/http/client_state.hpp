#pragma once

#include <fairlead/http/client.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/client_connection.hpp"
#include "http/proxy.hpp"
#include "http/url.hpp"

namespace fairlead::http {

struct PreparedRequestHead {
  /// The complete head, in a string with capacity for `room` more bytes.
  std::string text(std::size_t body_size, std::size_t room) const;

  std::string address;  ///< The URL as passed by the caller.
  std::string origin;
  std::vector<Header> headers = {};
  std::string fields = {};  ///< The head without Content-Length.
};

/// An exchange that was already started.
struct StartedExchange {
  std::unique_ptr<ClientConnection> connection = {};  ///< Null if it was not started.
  Result<bool> sent = false;
  std::shared_ptr<void> bytes = {};  ///< Owner of the bytes of the request.
};

struct ClientState {
  ClientState(EventLoop on, ClientOptions with);

  using Opened = Result<std::unique_ptr<ResponseStream>>;

  static Task<Opened> open(std::shared_ptr<ClientState> self, ClientRequest request);
  static Task<Opened> follow(std::shared_ptr<ClientState> self, ClientRequest request, StartedExchange begun);
  /// One exchange without redirects. The body stays on the connection.
  static Task<Opened> send(std::shared_ptr<ClientState> self, Url url, const ClientRequest& request,
                           StartedExchange begun);
  static Task<Result<ClientResponse>> fetch(std::shared_ptr<ClientState> self, ClientRequest request);
  static Task<Result<std::unique_ptr<WebSocket>>> websocket(std::shared_ptr<ClientState> self, ClientRequest request,
                                                            WebSocketOptions options);
  static Task<Result<std::unique_ptr<WebSocket>>> do_handshake(std::shared_ptr<ClientState> self, ClientRequest request,
                                                               WebSocketOptions options);

  /// Opens a connection, through a proxy and with TLS if needed.
  Task<Result<std::unique_ptr<ClientConnection>>> dial(const Url& url);
  Task<Result<std::unique_ptr<Stream>>> tunnel(std::unique_ptr<Stream> stream, const Url& url, const Url& proxy);
  Task<Result<std::unique_ptr<Stream>>> secure(std::unique_ptr<Stream> stream, const Url& url);

  /// Takes a live connection from the pool; null if there is none.
  std::unique_ptr<ClientConnection> take_idle(const std::string& origin);
  void keep(const std::string& origin, std::unique_ptr<ClientConnection> connection);

  Result<Url> parse(const std::string& text);
  Result<std::string> write_fields(const Url& url, std::string_view method, const std::vector<Header>& headers) const;
  Result<std::string> write_head(const Url& url, const ClientRequest& request) const;

  struct Idle {
    std::unique_ptr<ClientConnection> connection;
    Deadline until;
  };

  EventLoop loop;
  ClientOptions options;
  Proxies proxies;
  std::optional<Result<TlsClient>> tls;  // Loaded on first use.
  std::map<std::string, std::vector<Idle>> idle;
  std::string last_text = {};  // Parsed as `last_url`.
  Url last_url = {};
};

}  // namespace fairlead::http
