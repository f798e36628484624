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

  /// A WebSocket at a `ws://` or `wss://` URL; `refused`, with the status as code, if the server does not want to.
  Task<Result<std::unique_ptr<WebSocket>>> websocket(ClientRequest request,
                                                     WebSocketOptions options = WebSocketOptions());

  /// How many connections wait for a next request.
  std::size_t idle() const;

 private:
  struct State;
  class Answer;
  std::shared_ptr<State> state_;
};

}  // namespace fairlead::http
