#include "cli/run_gateway.hpp"

#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/log.hpp>

#include "cli/commands.hpp"
#include "cli/credentials.hpp"
#include "cli/output.hpp"
#include "cli/startup_banner.hpp"
#include "cli/to_text.hpp"
#include "gateway/app/json_log.hpp"
#include "gateway/app/listen_options.hpp"

namespace fairlead::cli {
namespace {

// With JSON logs, the banner is one log line.
void print_banner(const gateway::GatewayConfig& config, const std::string& url, LogSink& sink) {
  if (config.log.format == gateway::LogFormat::text) return print_startup_banner(config, url);
  log(sink, LogLevel::info, "fairlead", [&] {
    return "serving on " +
           (url.empty() ? "stdio or a socket" : url + config.listen.base_path + config.listen.paths.mcp);
  });
}

int report_failed_start(const Error& error) {
  const auto& known = error.diagnosis;
  const int code =
      report_error("", escape_for_terminal(error.message), known ? exit_code::unreachable : exit_code::failed);
  return known && known->advice ? report_error("", escape_for_terminal(*known->advice), code) : code;
}

}  // namespace

int run_gateway(gateway::AppOptions app, const DebugDecision& debug, bool show_banner, const ExtraBanner& extra) {
  const auto config = app.config;
  if (!app.credentials.store) app.credentials = gateway_credentials(sign_in_by_command());
  if (config.listen.workers != 1)
    print_stderr("fairlead: listen.workers is not supported yet; the gateway uses one thread");
  // Checked before anything starts, because it is a usage error.
  const auto listen = gateway::listen_options(config.listen);
  if (config.listen.http && !listen) return report_error("", listen.error().message, exit_code::usage);
  const auto log = gateway::make_log(debug, config.log.level, config.log.format == gateway::LogFormat::json);
  app.on_listening = [&](const std::string& url) {
    if (show_banner) print_banner(config, url, *log);
    if (extra && !url.empty()) print_stderr(extra(url + config.listen.base_path + config.listen.paths.mcp));
  };
  const auto outcome = gateway::run_app(std::move(app), *log, log->redactor());
  return outcome ? exit_code::done : report_failed_start(outcome.error());
}

}  // namespace fairlead::cli
