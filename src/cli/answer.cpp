#include <fairlead/base/log.hpp>
#include <fmt/format.h>

#include "answer/consume_variable.hpp"
#include "answer/load_config.hpp"
#include "answer/policy.hpp"
#include "answer/service.hpp"
#include "cli/commands.hpp"
#include "cli/http_serve_options.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"
#include "http/address.hpp"
#include "http/url.hpp"
#include "server/run_options.hpp"
#include "server/run_service.hpp"

namespace fairlead::cli {
namespace {

using answer::LoadedConfig;

constexpr auto answer_examples = R"(  OPENAI_API_KEY=... fairlead answer
  fairlead answer --http 127.0.0.1:8080
  fairlead answer --config answer.yaml --show-config
  fairlead call answer query='Which C++ standard is the newest?' -- fairlead answer)";

struct AnswerOptions {
  HttpServeOptions http = {};
  LogOptions log = {};
  bool stdio = false, show = false, version = false;

  bool serves() const { return stdio || !http.address.empty(); }
};

std::vector<std::string> options_given(const AnswerOptions& flags) {
  std::vector<std::string> given;
  if (flags.stdio) given.emplace_back("--stdio");
  if (!flags.http.address.empty()) given.emplace_back("--http");
  if (!flags.log.config.empty()) given.emplace_back("--config");
  if (!flags.log.debug.empty()) given.emplace_back("--debug");
  return given;
}

/// Loads the configuration and decides on debug logging, which has to be done once.
Result<LoadedConfig> load_answer_config(const AnswerOptions& flags, DebugDecision& debug) {
  const auto environment = config::process_environment();
  auto path = answer::expanded_path(flags.log.config, environment);
  if (path.empty()) path = answer::default_config_path(environment);
  auto loaded = answer::load_config(path, environment);
  if (!loaded) return loaded;
  if (!flags.log.config.empty() && !loaded->file) {
    loaded->warnings.push_back(fmt::format("--config: file {} not found; using the defaults", path));
  }
  loaded->options = options_given(flags);
  const auto decision = resolve_debug({.debug = flags.log.debug, .config = loaded->file.value_or("")});
  if (!decision) return std::unexpected(decision.error());
  debug = *decision;
  if (debug.source == DebugSource::environment) {
    const bool own = !environment("FAIRLEAD_DEBUG").value_or("").empty();
    loaded->sources.set("server.debug", {.variables = {own ? "FAIRLEAD_DEBUG" : "DEBUG"}});
  }
  loaded->config.server.debug = debug.on;
  if (!debug.file.empty()) loaded->config.server.debug_file = debug.file;
  return loaded;
}

/// Removes the key from the environment, so that neither child processes nor /proc show it.
answer::ApiKey take_api_key(const std::string& variable) {
  const auto found = answer::consume_variable(variable);
  const auto begin = found.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return {};
  return answer::ApiKey(found.substr(begin, found.find_last_not_of(" \t\r\n") + 1 - begin));
}

void warn_about_api_key(const answer::EndpointConfig& endpoint, const answer::ApiKey& key,
                        std::vector<std::string>& warnings) {
  if (key.empty()) {
    warnings.push_back(fmt::format("{} is not set: every question will fail until it is set", endpoint.api_key_env));
  }
  const auto url = http::parse_url(endpoint.base_url);
  const bool stays_here = url && (http::is_loopback(url->host) || url->host == "localhost");
  if (url && !url->secure() && !stays_here) {
    warnings.push_back(fmt::format("openai.base_url: the API key is sent to {} unencrypted; use https://", url->host));
  }
}

int serve_answers(LoadedConfig loaded, const DebugDecision& debug, std::optional<server::HttpOptions> http) {
  answer::AnswerOptions setup{.config = loaded.config, .version = std::string(version), .debug = debug.on};
  setup.key = take_api_key(loaded.config.openai.api_key_env);
  setup.instructions = answer::system_policy(loaded.config.policy.system, loaded.warnings);
  warn_about_api_key(loaded.config.openai, setup.key, loaded.warnings);

  ProgramLog log(debug);
  log.redactor().add_secret(setup.key.reveal());
  for (const auto& warning : loaded.warnings) {
    fairlead::log(log, LogLevel::warning, answer::server_name, [&] { return warning; });
  }
  fairlead::log(log, LogLevel::debug, answer::server_name, [&] {
    return fmt::format("policy {} ({})", loaded.config.policy.system.source, answer::policy_revision);
  });
  answer::AnswerService service(std::move(setup), log);
  server::ServeOptions run{.http = std::move(http)};
  run.sessions.name = answer::server_name;
  run.sessions.dialect = protocol::ErrorDialect::answer;
  if (config::process_environment()("MCP_LINE_MODE") == "1") run.framing.output = transport::OutputFraming::line;
  const auto outcome = server::run_service(service, log, std::move(run));
  return outcome ? exit_code::done : report_error("answer", outcome.error().message, exit_code::failed);
}

int run_answer(AnswerOptions flags) {
  if (flags.version) return print(fmt::format("{} {}\n", answer::server_name, version));
  DebugDecision debug;
  auto loaded = load_answer_config(flags, debug);
  if (!loaded) return report_error("answer", loaded.error().message, exit_code::failed);
  if (flags.show || loaded->config.server.show_config_on_start) {
    print_stderr(answer::show_config(*loaded, std::string(version)));
  }
  if (flags.show && !flags.serves()) return exit_code::done;

  auto arguments = server_arguments("fairlead answer", debug, flags.http);
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  auto run = server::read_options({.name = std::string(answer::server_name)}, static_cast<int>(pointers.size()),
                                  pointers.data());
  return run.exit_code ? *run.exit_code : serve_answers(std::move(*loaded), debug, std::move(run.http));
}

}  // namespace

RunCommand declare_answer(Options& options) {
  auto flags = std::make_shared<AnswerOptions>();
  options.describe(
      "answer [options]",
      "Serves tools that answer questions through OpenAI's Responses API or a compatible one, with web search\n"
      "and citations. The API key is read from OPENAI_API_KEY.",
      answer_examples);
  options.flag("--stdio", flags->stdio, "serve one client on stdin and stdout (default)");
  add_http_options(options, flags->http);
  options.flag("--show-config", flags->show, "print the effective configuration to stderr; alone: print it and exit");
  add_log_options(options, flags->log,
                  "a YAML, JSON or TOML file (default ~/.config/openai-responses-mcp/config.yaml)");
  options.flag("-v,--version", flags->version, "print the name and version of the server");
  options.no_server_command();
  return [flags] { return run_answer(*flags); };
}

}  // namespace fairlead::cli
