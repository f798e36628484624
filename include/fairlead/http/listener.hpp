#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/workers.hpp>
#include <fairlead/http/cors.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/host_origin_check.hpp>
#include <fairlead/http/limits.hpp>
#include <fairlead/http/tls.hpp>
#include <functional>

namespace fairlead::http {

struct ListenOptions {
  std::string host = "127.0.0.1";  ///< An IP address, or localhost.
  std::uint16_t port = 0;          ///< 0 selects a free port.
  std::optional<TlsServerOptions> tls = {};
  Limits limits = {};
  HostOriginOptions host_origin = {};
  CorsOptions cors = {};
  /// Run in this order after the Host and Origin check, by all workers: must be thread-safe.
  std::vector<std::shared_ptr<const AccessCheck>> access_checks = {};
  bool authenticated = false;  ///< True if one of the access checks authenticates clients.
  bool insecure = false;       ///< Allow a non-loopback address without authentication.
};

/// Creates the handler of one worker; called on the loop of that worker.
using MakeHandler = std::function<std::unique_ptr<Handler>(EventLoop loop, std::size_t worker)>;

struct ListenerState;

/// An HTTP/1.1 server on one port. Every worker accepts connections and serves those it accepted.
class Listener : NonCopyable {
 public:
  Listener(Workers& workers, LogSink& log, ListenOptions options, MakeHandler make_handler);
  /// Serves on a loop of the caller, which must belong to an `io_context`, as worker 0.
  Listener(EventLoop loop, ListenOptions options, MakeHandler make_handler);
  /// Closes all open connections.
  ~Listener();

  /// Binds the port. Requests are handled as soon as the loops run.
  Result<void> open();

  /// Valid after `open`.
  std::uint16_t port() const;
  std::string url() const;

  /// Stops accepting, closes idle connections, waits up to `drain` for active requests, then closes the rest. Blocks:
  /// call it from a thread that runs none of the loops; on a loop, await `close`.
  void stop(Duration drain);
  Task<void> close(Duration drain);

 private:
  std::unique_ptr<ListenerState> state_;
};

}  // namespace fairlead::http
