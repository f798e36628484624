#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/deadline.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/http/message.hpp>
#include <fairlead/http/tls.hpp>
#include <fairlead/http/websocket.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {

struct ClientOptions {
  TlsClientOptions tls = {};
  bool proxies = true;                                   ///< Use the proxies that the environment names.
  std::size_t max_body = std::size_t{64} * 1024 * 1024;  ///< Limit for `fetch`, in bytes.
  std::size_t max_redirects = 5;
  std::size_t max_idle_connections = 256;  ///< Idle connections kept for each origin.
  /// How long an idle connection is kept; a shorter limit of the server wins.
  Duration idle_timeout = std::chrono::seconds{30};
};

/// A request. The client adds Host, the length, and the Authorization for a URL with `user:password@`.
struct ClientRequest {
  std::string method = "GET";
  std::string url = {};
  std::vector<Header> headers = {};
  std::string body = {};
  Deadline deadline = {};  ///< For the response head; with `fetch`, for the whole response.
};

/// Status and headers of a response; with `fetch`, also the body.
struct ClientResponse {
  std::uint16_t status = 0;
  std::vector<Header> headers = {};
  std::string body = {};  ///< Filled by `fetch` only.
  std::string url = {};   ///< URL after redirects, without credentials.

  /// The first of that name; nothing if there is none.
  std::optional<std::string_view> header(std::string_view name) const;
  /// Media type of the Content-Type, in lower case and without parameters.
  std::string media_type() const;
};

/// A response whose body arrives in pieces. Destroying it before the end closes its connection, so the server notices
/// that the client has gone.
class ResponseStream {
 public:
  virtual ~ResponseStream() = default;

  virtual const ClientResponse& head() const = 0;

  /// Returns the next piece of the body, empty at its end; `closed` if the connection broke before.
  virtual Task<Result<std::string>> next() = 0;

  /// Returns the rest of the body; `malformed` if it is longer than `max_size`.
  Task<Result<std::string>> rest(std::size_t max_size);
};

/// A response that was read completely. Its header views are valid only during the callback that receives it.
struct WholeAnswer {
  std::vector<HeaderView> headers;
  std::string body;

  /// The first of that name; nothing if there is none.
  std::optional<std::string_view> header(std::string_view name) const;
};

/// Prepared head for POSTs that differ only in their bodies. Made by `Client::write_post`; opaque to callers.
struct PreparedRequestHead;

/// A POST for `Client::post_now`.
struct QuickPost {
  std::shared_ptr<const PreparedRequestHead> head = {};
  std::string body = {};
  /// Media type of a response that is delivered as a `WholeAnswer`. Must be a literal.
  std::string_view answer_type = {};
  std::size_t max_answer = 0;  ///< Largest body that is delivered as a `WholeAnswer`, in bytes.
  /// Called once, later, on the loop: with a complete response of status 200, whose connection is free again; or with
  /// null, then call `SentRequest::open`.
  std::function<void(WholeAnswer*)> then = {};
};

/// A request that was sent. Destroying it closes its connection; `then` is not called any more.
class SentRequest {
 public:
  virtual ~SentRequest() = default;

  /// Returns the response as `Client::open` does, continuing this exchange. Call once, after `then` received null. The
  /// request is sent again only where `Client` would do so.
  virtual Task<Result<std::unique_ptr<ResponseStream>>> open() = 0;
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
class Client {
 public:
  explicit Client(EventLoop loop, ClientOptions options = {});
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  /// Returns the complete response, whatever its status.
  Task<Result<ClientResponse>> fetch(ClientRequest request);
  /// Returns after the response head; read the body from the stream.
  Task<Result<std::unique_ptr<ResponseStream>>> open(ClientRequest request);

  /// Returns null for an invalid URL or header; `open` reports the reason.
  std::shared_ptr<const PreparedRequestHead> write_post(std::string url, std::vector<Header> headers);
  /// Sends a POST without a coroutine. Returns null and leaves `post` unchanged if the pool has no connection or `head`
  /// is null; then use `open`.
  std::shared_ptr<SentRequest> post_now(QuickPost& post);

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
