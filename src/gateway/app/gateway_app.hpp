#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/gateway/registry.hpp>
#include <functional>
#include <string>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/upstream/credential_options.hpp"

namespace fairlead::gateway {

/// A gateway to run until a signal stops it.
struct AppOptions {
  GatewayConfig config;
  bool exit_if_server_dies = false;   ///< Fail if a server process cannot be started or exits immediately.
  bool warn_without_servers = false;  ///< Log a warning if no server is configured.

  CredentialOptions credentials = {};  ///< For servers that require OAuth.

  /// The middleware that chains may use.
  Registry registry = Registry::standard();

  /// Called once, when the gateway listens. `url` is that of the HTTP listener, without a path; empty if there is none.
  std::function<void(const std::string& url)> on_listening = {};

  /// Reads the configuration again, on SIGHUP and when a watched file changes. If empty, nothing is reloaded.
  std::function<Result<GatewayConfig>()> reload = {};
  std::vector<std::string> watched_files = {};  ///< A change of one of these files reloads the configuration.
};

/// Runs the gateway on the calling thread until SIGINT or SIGTERM. Returns the error of a failed start. Adds the
/// secrets of the configuration to `redactor`, which is that of `log`.
Result<void> run_app(AppOptions options, LogSink& log, Redactor& redactor);

}  // namespace fairlead::gateway
