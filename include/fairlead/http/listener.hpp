#pragma once

#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/base/workers.hpp>
#include <fairlead/http/cors.hpp>
#include <fairlead/http/guard.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/limits.hpp>
#include <fairlead/http/tls.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::http {

struct ListenOptions {
  std::string host = "127.0.0.1";  ///< An address, or localhost.
  std::uint16_t port = 0;          ///< 0 takes any free one.
  std::optional<TlsServerOptions> tls = {};
  Limits limits = {};
  GuardOptions guard = {};
  CorsOptions cors = {};
  /// Asked in this order, after the guard, by every worker: so they change nothing in themselves.
  std::vector<std::shared_ptr<const Gate>> gates = {};
  bool authenticated = false;  ///< One of the gates lets only those in whom it knows.
  bool insecure = false;       ///< Listen beyond this machine although nothing asks who calls.
};

/// Makes what answers on one worker; called on that worker's loop.
using MakeHandler = std::function<std::unique_ptr<Handler>(Loop loop, std::size_t worker)>;

/// An HTTP/1.1 server on one port: every worker accepts, and serves what it has accepted.
class Listener {
 public:
  Listener(Workers& workers, LogSink& log, ListenOptions options, MakeHandler make_handler);
  /// On one loop of the caller's, which must be an `io_context`'s; as worker 0.
  Listener(Loop loop, ListenOptions options, MakeHandler make_handler);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  /// Cuts what is still open.
  ~Listener();

  /// Takes the port. Requests are answered as soon as the loops run.
  Result<void> open();

  /// After `open`.
  std::uint16_t port() const;
  std::string url() const;

  /// Accepts no more, closes what is idle, gives the rest that long to end, and then cuts it. Always returns. From a
  /// thread that runs none of the loops; on a loop, await `close`.
  void stop(Duration drain);
  Task<void> close(Duration drain);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::http
