#pragma once

#include <fairlead/base/guarded.hpp>
#include <fairlead/server/http.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/stdio.hpp>
#include <functional>
#include <optional>

namespace fairlead::server {

/// How a program serves: on stdin and stdout, or over HTTP.
struct ServiceRun {
  session::SessionOptions sessions = {};
  transport::FramedOptions framing = transport::stdio_options();
  std::optional<HttpOptions> http = {};               ///< Else on stdin and stdout.
  Guarded<std::function<void()>>* stopper = nullptr;  ///< While it runs, this ends it in good order, from any thread.
};

/// Returns when the client has hung up, or after a signal or the stopper has asked for the end.
Result<void> run_service(session::Service& service, LogSink& log, ServiceRun run);

}  // namespace fairlead::server
