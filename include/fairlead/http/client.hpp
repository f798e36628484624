#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/deadline.hpp>
#include <fairlead/base/loop.hpp>
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
  bool proxies = true;                                   ///< Those that the environment names.
  std::size_t max_body = std::size_t{64} * 1024 * 1024;  ///< Of an answer that is fetched whole.
  std::size_t max_redirects = 5;
  std::size_t max_idle = 256;                     ///< Connections kept for each origin, and
  Duration keep_idle = std::chrono::seconds{30};  ///< for how long, unless the server says less.
};

/// What to send. The client adds Host, the length, and the Authorization that a URL with `user:password@` asks for.
struct ClientRequest {
  std::string method = "GET";
  std::string url = {};
  std::vector<Header> headers = {};
  std::string body = {};
  Deadline deadline = {};  ///< For the head of the answer; for all of it where it is fetched whole.
};

/// What a server answers before its body.
struct ClientResponse {
  std::uint16_t status = 0;
  std::vector<Header> headers = {};
  std::string body = {};  ///< Where it was fetched whole.
  std::string url = {};   ///< Where the answer came from in the end, without credentials.

  /// The first of that name; nothing if there is none.
  std::optional<std::string_view> header(std::string_view name) const;
  /// Of the Content-Type, in lower case and without parameters.
  std::string media_type() const;
};

/// An answer whose body arrives bit by bit. Destroying it before the end closes its connection, which tells the server
/// that nobody listens any more.
class ResponseStream {
 public:
  virtual ~ResponseStream() = default;

  virtual const ClientResponse& head() const = 0;

  /// The next piece of the body, or an empty one at its end; `closed` if it was cut off.
  virtual Task<Result<std::string>> next() = 0;

  /// What is left of the body, `malformed` if that is longer than `max_size`.
  Task<Result<std::string>> rest(std::size_t max_size);
};

/// An answer that has come in one go. Its headers are views that last for the call that brings it.
struct WholeAnswer {
  std::vector<HeaderView> headers;
  std::string body;

  /// The first of that name; nothing if there is none.
  std::optional<std::string_view> header(std::string_view name) const;
};

/// The head of POSTs that differ in nothing but their bodies. `Client::write_post` makes it, and knows what is in it.
struct PostHead;

/// A POST for `Client::post_now`.
struct QuickPost {
  std::shared_ptr<const PostHead> head = {};
  std::string body = {};
  std::string_view answer_type = {};  ///< The media type, and
  std::size_t max_answer = 0;         ///< the size of an answer that comes as a `WholeAnswer`. A literal, the first.
  /// Called on the loop, later and once: with an answer of status 200 that is there whole, and its connection free
  /// again; with null where what came, or did not come, is for `SentRequest::open` to deal with.
  std::function<void(WholeAnswer*)> then = {};
};

/// A request that is on its way. Destroying it closes its connection, and nobody is told of an answer any more.
class SentRequest {
 public:
  virtual ~SentRequest() = default;

  /// The answer as `Client::open` gives it, from where this stands: nothing is lost, and nothing sent again that
  /// `Client` would not send again. Once, after `then` was called with null.
  virtual Task<Result<std::unique_ptr<ResponseStream>>> open() = 0;
};

/// Sends requests from one loop and keeps connections for the next. Must outlive what it has under way, but not the
/// streams it gave away.
///
/// A request is sent again by itself only where no harm can come of it: on a new connection when a kept one turns out
/// to be dead and the request cannot have arrived whole, or asks nothing to be done twice; and where a server redirects
/// it. What could identify the caller never goes to another origin, and nothing goes from https to http.
///
/// Errors: `closed` for no connection, or one that broke, `timeout`, `malformed` for an answer that is not HTTP,
/// `refused` for what a proxy or a redirect does not allow.
class Client {
 public:
  explicit Client(Loop loop, ClientOptions options = {});
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  /// The whole answer, whatever its status.
  Task<Result<ClientResponse>> fetch(ClientRequest request);
  /// The answer's head; the body follows.
  Task<Result<std::unique_ptr<ResponseStream>>> open(ClientRequest request);

  /// Null for a URL or headers that cannot be: `open` says why.
  std::shared_ptr<const PostHead> write_post(std::string url, std::vector<Header> headers);
  /// Sends a POST without a coroutine. Null, nothing sent, and `post` as it was, where no connection is kept, or there
  /// is no head: `open` deals with that.
  std::shared_ptr<SentRequest> post_now(QuickPost& post);

  /// A WebSocket at a `ws://` or `wss://` URL; `refused`, with the status as code, if the server does not want to.
  Task<Result<std::unique_ptr<WebSocket>>> websocket(ClientRequest request,
                                                     WebSocketOptions options = WebSocketOptions());

  /// How many connections wait for a next request.
  std::size_t idle() const;

 private:
  struct State;
  class Answer;
  class Sent;
  std::shared_ptr<State> state_;
};

}  // namespace fairlead::http
