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

struct PostHead {
  /// All of it, in a string with room for more.
  std::string text(std::size_t body_size, std::size_t room) const;

  std::string address;  ///< As it was asked for.
  std::string origin;
  std::vector<Header> headers = {};
  std::string fields = {};  ///< The text, but for the length of the body.
};

/// An exchange that goes on.
struct Begun {
  std::unique_ptr<ClientConnection> connection = {};  ///< Null for one that is yet to begin.
  Result<bool> sent = false;
  std::shared_ptr<void> bytes = {};  ///< What the request's are kept by.
};

struct Client::State {
  State(Loop on, ClientOptions with);

  using Opened = Result<std::unique_ptr<ResponseStream>>;

  static Task<Opened> open(std::shared_ptr<State> self, ClientRequest request);
  static Task<Opened> follow(std::shared_ptr<State> self, ClientRequest request, Begun begun);
  /// One exchange, no redirects. The answer's body is still on the connection.
  static Task<Opened> send(std::shared_ptr<State> self, Url url, const ClientRequest& request, Begun begun);
  static Task<Result<ClientResponse>> fetch(std::shared_ptr<State> self, ClientRequest request);
  static Task<Result<std::unique_ptr<WebSocket>>> websocket(std::shared_ptr<State> self, ClientRequest request,
                                                            WebSocketOptions options);
  static Task<Result<std::unique_ptr<WebSocket>>> shake_hands(std::shared_ptr<State> self, ClientRequest request,
                                                              WebSocketOptions options);

  /// A new connection, through a proxy and under TLS where that is due.
  Task<Result<std::unique_ptr<ClientConnection>>> dial(const Url& url);
  Task<Result<std::unique_ptr<Stream>>> tunnel(std::unique_ptr<Stream> stream, const Url& url, const Url& proxy);
  Task<Result<std::unique_ptr<Stream>>> secure(std::unique_ptr<Stream> stream, const Url& url);

  /// A kept connection that seems alive; null for none.
  std::unique_ptr<ClientConnection> take_idle(const std::string& origin);
  void keep(const std::string& origin, std::unique_ptr<ClientConnection> connection);

  Result<Url> parse(const std::string& text);
  Result<std::string> write_fields(const Url& url, std::string_view method, const std::vector<Header>& headers) const;
  Result<std::string> write_head(const Url& url, const ClientRequest& request) const;

  struct Idle {
    std::unique_ptr<ClientConnection> connection;
    Deadline until;
  };

  Loop loop;
  ClientOptions options;
  Proxies proxies;
  std::optional<Result<TlsClient>> tls;  // Read when it is first needed.
  std::map<std::string, std::vector<Idle>> idle;
  std::string last_text = {};  // Taken apart in `last_url`.
  Url last_url = {};
};

}  // namespace fairlead::http
