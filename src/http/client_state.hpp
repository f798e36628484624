#pragma once

#include <fairlead/http/client.hpp>
#include <map>

#include "http/client_connection.hpp"
#include "http/proxy.hpp"
#include "http/url.hpp"

namespace fairlead::http {

struct PreparedRequestHead {
  /// The complete head, in a string with capacity for `room` more bytes.
  std::string text(std::size_t body_size, std::size_t room) const;

  Url url;
  std::string origin;
  std::vector<Header> headers = {};
  std::string fields = {};  ///< The head without Content-Length.
};

struct ClientState {
  ClientState(EventLoop on, ClientOptions with);

  using Opened = Result<std::unique_ptr<ResponseStream>>;

  static Task<Opened> open(std::shared_ptr<ClientState> self, ClientRequest&& request);
  /// `open` without the deadline.
  static Task<Opened> follow(std::shared_ptr<ClientState> self, ClientRequest request);
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
  std::unique_ptr<ClientConnection> take_idle(const Url& url, const ClientRequest& request);
  void keep(std::unique_ptr<ClientConnection> connection);

  Result<Url> parse(const std::string& text);
  /// The URL of an HTTP request.
  Result<Url> url_of(const ClientRequest& request);
  Result<std::string> write_fields(const Url& url, std::string_view method, const std::vector<Header>& headers) const;
  Result<std::string> write_head(const Url& url, const ClientRequest& request) const;
  /// Returns the head, with a short body behind it. A longer one is `body`.
  Result<std::string> write_request(const Url& url, const ClientRequest& request, std::string_view& body) const;

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
