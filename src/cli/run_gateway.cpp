#include "cli/run_gateway.hpp"

#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/log.hpp>
#include <utility>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/startup_banner.hpp"
#include "cli/to_text.hpp"
#include "gateway/app/json_log.hpp"
#include "gateway/app/listen_options.hpp"

namespace fairlead::cli {
namespace {

/// Warns about settings that are parsed but not implemented.
void warn_unsupported_settings(const gateway::GatewayConfig& config) {
  if (config.listen.workers != 1)
    print_stderr("fairlead: listen.workers is not supported yet; the gateway uses one thread");
}

// With JSON logs, the banner is one log line.
void print_banner(const gateway::GatewayConfig& config, const std::string& url, LogSink& sink) {
  if (config.log.format == gateway::LogFormat::text) return print_startup_banner(config, url);
  log(sink, LogLevel::info, "fairlead", [&] {
    return "serving on " +
           (url.empty() ? "stdio or a socket" : url + config.listen.base_path + config.listen.paths.mcp);
  });
}

int report_failed_start(const Error& error) {
  print_stderr("fairlead: " + escape_for_terminal(error.message));
  const auto& known = error.diagnosis;
  if (!known) return exit_code::failed;
  if (known->advice) print_stderr("fairlead: " + escape_for_terminal(*known->advice));
  return exit_code::unreachable;
}

}  // namespace

int run_gateway(GatewayRun run) {
  const auto config = run.app.config;
  warn_unsupported_settings(config);
  // Checked before anything starts, because it is a usage error.
  if (const auto listen = gateway::listen_options(config.listen); config.listen.http && !listen) {
    print_stderr("fairlead: " + listen.error().message);
    return exit_code::usage;
  }
  const auto log = gateway::make_log(run.debug, config.log.level, config.log.format == gateway::LogFormat::json);
  run.app.on_listening = [&](const std::string& url) {
    if (run.show_banner) print_banner(config, url, *log.sink);
    if (run.extra_banner && !url.empty())
      print_stderr(run.extra_banner(url + config.listen.base_path + config.listen.paths.mcp));
  };
  const auto outcome = gateway::run_app(std::move(run.app), *log.sink, *log.redactor);
  return outcome ? exit_code::done : report_failed_start(outcome.error());
}

}  // namespace fairlead::cli
