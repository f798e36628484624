#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/deadline.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/http/message.hpp>
#include <fairlead/http/tls.hpp>
#include <fairlead/http/websocket.hpp>

namespace fairlead::http {

struct ClientOptions {
  TlsClientOptions tls = {};
  bool proxies = true;  ///< Use the proxies that the environment names.
  /// Refuse connections to loopback, private and other addresses that are not routed on the Internet. Checked on the
  /// connected socket, before anything is sent; behind a proxy only for a URL that contains the address itself.
  bool public_only = false;
  std::size_t max_body = std::size_t{64} * 1024 * 1024;  ///< Limit for `fetch`, in bytes.
  std::size_t max_redirects = 5;                         ///< 0 returns redirects as responses.
  std::size_t max_idle_connections = 256;                ///< Idle connections kept for each origin.
  /// How long an idle connection is kept; a shorter limit of the server wins.
  Duration idle_timeout = std::chrono::seconds{30};
};

/// The head of POSTs that differ only in their bodies. Made by `Client::prepare_post`; opaque to callers.
struct PreparedRequestHead;

/// A request. The client adds Host, the length, and the Authorization for a URL with `user:password@`.
struct ClientRequest {
  std::string method = "GET";
  std::string url = {};
  std::vector<Header> headers = {};
  std::string body = {};
  Deadline deadline = {};  ///< For the response head; with `fetch`, for the whole response.
  /// If set, replaces `method`, `url` and `headers`.
  std::shared_ptr<const PreparedRequestHead> prepared = {};
};

/// Status and headers of a response; with `fetch`, also the body.
struct ClientResponse {
  std::uint16_t status = 0;
  std::vector<Header> headers = {};
  std::string body = {};              ///< Filled by `fetch` only.
  std::string url = {};               ///< URL after redirects, without credentials.
  bool from_private_address = false;  ///< The server has an address that `public_only` refuses. False behind a proxy.

  /// The first of that name; nothing if there is none.
  std::optional<std::string_view> header(std::string_view name) const;
  /// Media type of the Content-Type, in lower case and without parameters.
  std::string media_type() const;
  /// Compares without regard to case.
  bool has_media_type(std::string_view type) const;
};

/// A response whose body arrives in pieces. Destroying it before the end closes its connection, so the server notices
/// that the client has gone.
class ResponseStream {
 public:
  virtual ~ResponseStream() = default;

  virtual const ClientResponse& head() const = 0;

  /// Returns the next piece of the body, empty at its end; `closed` if the connection broke before. Ready if the piece
  /// was already received.
  virtual Task<Result<std::string>> next() = 0;

  /// Returns the rest of the body; `malformed` if it is longer than `max_size`. Ready if it was already received.
  Task<Result<std::string>> rest(std::size_t max_size);

 private:
  /// True if next() would return the end of the body.
  virtual bool ended() const { return false; }
  Task<Result<std::string>> collect(std::string whole, Task<Result<std::string>> reading, std::size_t max_size);
};

struct ClientState;

/// HTTP client with a connection pool. Must outlive its pending calls, but not the streams it returned. Not
/// thread-safe: one loop.
///
/// A request is retried only where that is safe: on a new connection, if a pooled one turns out to be closed and the
/// request cannot have arrived completely or its method is idempotent; and after a redirect. Credentials are never sent
/// to another origin, and a redirect from https to http is refused.
///
/// Errors: `closed` for no connection or a broken one, `timeout`, `malformed` for a response that is not HTTP,
/// `refused` by a proxy or for a redirect that is not allowed.
class Client : NonCopyable {
 public:
  explicit Client(EventLoop loop, ClientOptions options = {});
  ~Client();

  /// Returns the complete response, whatever its status.
  Task<Result<ClientResponse>> fetch(ClientRequest request);
  /// Returns after the response head; read the body from the stream.
  Task<Result<std::unique_ptr<ResponseStream>>> open(ClientRequest&& request);
  /// Makes `ClientRequest::prepared`. `invalid` for a URL or header that cannot be sent.
  Result<std::shared_ptr<const PreparedRequestHead>> prepare_post(const std::string& url, std::vector<Header> headers);

  /// Opens a WebSocket at a `ws://` or `wss://` URL. `refused`, with the HTTP status as code, if the server does not
  /// upgrade.
  Task<Result<std::unique_ptr<WebSocket>>> websocket(ClientRequest request,
                                                     WebSocketOptions options = WebSocketOptions());

  /// Number of idle connections in the pool.
  std::size_t idle() const;

 private:
  std::shared_ptr<ClientState> state_;
};

}  // namespace fairlead::http
