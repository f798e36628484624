#pragma once

#include <fairlead/base/synchronized.hpp>
#include <fairlead/server/http.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/stdio.hpp>

namespace fairlead::server {

/// How to serve: on stdin and stdout, or over HTTP.
struct ServeOptions {
  session::SessionOptions sessions = {};
  transport::FramedOptions framing = transport::stdio_options();
  std::optional<HttpOptions> http = {};  ///< Nothing: serve on stdin and stdout.
  /// Set while it runs; calling it stops gracefully, from any thread.
  Synchronized<std::function<void()>>* stopper = nullptr;
};

/// Returns when the client has disconnected, or after SIGINT, SIGTERM or a call of `stopper`.
Result<void> run_service(session::Service& service, LogSink& log, ServeOptions run);

}  // namespace fairlead::server
