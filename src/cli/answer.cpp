#include <cstdlib>
#include <fairlead/base/log.hpp>
#include <fmt/format.h>
#include <utility>

#include "answer/load.hpp"
#include "answer/policy.hpp"
#include "answer/service.hpp"
#include "cli/commands.hpp"
#include "cli/http_words.hpp"
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

struct AnswerWords {
  HttpWords http = {};
  LogOptions log = {};
  bool stdio = false, show = false, version = false;

  bool serves() const { return stdio || !http.address.empty(); }
};

void add_answer_options(Options& options, AnswerWords& words) {
  options.flag("--stdio", words.stdio, "serve the client on stdin and stdout; the default");
  add_http_options(options, words.http);
  options.flag("--show-config", words.show, "print the configuration in force on stderr; alone, do no more");
  add_log_options(options, words.log, "a YAML file (default ~/.config/openai-responses-mcp/config.yaml)");
  options.flag("-v,--version", words.version, "print the server's name and version");
}

std::vector<std::string> options_given(const AnswerWords& words) {
  std::vector<std::string> given;
  if (words.stdio) given.emplace_back("--stdio");
  if (!words.http.address.empty()) given.emplace_back("--http");
  if (!words.log.config.empty()) given.emplace_back("--config");
  if (!words.log.debug.empty()) given.emplace_back("--debug");
  return given;
}

/// The configuration, and with it the one judgement on debugging.
Result<LoadedConfig> load_for(const AnswerWords& words, DebugDecision& debug) {
  const auto environment = answer::process_environment();
  auto path = answer::expanded_path(words.log.config, environment);
  if (path.empty()) path = answer::default_config_path(environment);
  auto loaded = answer::load_config(path, environment);
  if (!loaded) return loaded;
  if (!words.log.config.empty() && !loaded->sources.yaml) {
    loaded->warnings.push_back(fmt::format("--config: there is no file {}; the defaults are used", path));
  }
  loaded->sources.cli = options_given(words);
  const auto decision = decide({.debug = words.log.debug, .config = loaded->sources.yaml.value_or("")});
  if (!decision) return std::unexpected(decision.error());
  debug = *decision;
  if (debug.source == DebugSource::environment) {
    loaded->sources.env.emplace_back(environment("FAIRLEAD_DEBUG") ? "FAIRLEAD_DEBUG" : "DEBUG");
  }
  loaded->config.server.debug = debug.on;
  if (!debug.file.empty()) loaded->config.server.debug_file = debug.file;
  return loaded;
}

/// Taken out of the environment, so that neither what is started from here nor who reads /proc could see it.
answer::ApiKey take_key(const std::string& variable) {
  const auto found = answer::take_variable(variable);
  const auto begin = found.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return {};
  return answer::ApiKey(found.substr(begin, found.find_last_not_of(" \t\r\n") + 1 - begin));
}

void warn_of_key(const answer::EndpointConfig& endpoint, const answer::ApiKey& key,
                 std::vector<std::string>& warnings) {
  if (key.empty()) {
    warnings.push_back(fmt::format("{} is not set: every question will fail until it is", endpoint.api_key_env));
  }
  const auto url = http::parse_url(endpoint.base_url);
  const bool stays_here = url && (http::is_loopback(url->host) || url->host == "localhost");
  if (url && !url->secure() && !stays_here) {
    warnings.push_back(fmt::format("openai.base_url: the key goes to {} in the clear; write https://", url->host));
  }
}

int serve_answers(LoadedConfig loaded, const DebugDecision& debug, std::optional<server::HttpOptions> http) {
  answer::Setup setup{.config = loaded.config, .version = std::string(version), .debug = debug.on};
  setup.key = take_key(loaded.config.openai.api_key_env);
  setup.instructions = answer::system_policy(loaded.config.policy.system, loaded.warnings);
  warn_of_key(loaded.config.openai, setup.key, loaded.warnings);

  ProgramLog log(debug);
  log.redactor().add_secret(setup.key.reveal());
  for (const auto& warning : loaded.warnings) {
    fairlead::log(log, LogLevel::warning, answer::server_name, [&] { return warning; });
  }
  fairlead::log(log, LogLevel::debug, answer::server_name, [&] {
    return fmt::format("policy {} ({})", loaded.config.policy.system.source, answer::policy_revision);
  });
  answer::AnswerService service(std::move(setup), log);
  server::ServiceRun run{.http = std::move(http)};
  run.sessions.name = answer::server_name;
  run.sessions.dialect = protocol::Dialect::answer;
  if (answer::process_environment()("MCP_LINE_MODE") == "1") run.framing.output = transport::OutputFraming::line;
  const auto outcome = server::run_service(service, log, std::move(run));
  if (outcome) return exit_code::done;
  complain("fairlead answer: " + outcome.error().message);
  return exit_code::failed;
}

}  // namespace

int run_answer(const Words& words) {
  Options options("answer [options]",
                  "Serves tools that answer questions through OpenAI's Responses API, or one that is compatible with\n"
                  "it: with a web search where need be, and with citations. The key is read from OPENAI_API_KEY.",
                  answer_examples);
  AnswerWords asked;
  add_answer_options(options, asked);
  if (const auto done = options.parse(words.own)) return *done;
  if (!words.child.empty()) {
    complain("fairlead answer: it starts no other server, so nothing follows --; see fairlead answer --help");
    return exit_code::usage;
  }
  if (asked.version) return print(fmt::format("{} {}\n", answer::server_name, version));
  DebugDecision debug;
  auto loaded = load_for(asked, debug);
  if (!loaded) {
    complain("fairlead answer: " + loaded.error().message);
    return exit_code::failed;
  }
  if (asked.show || loaded->config.server.show_config_on_start) {
    complain(answer::show_config(*loaded, std::string(version)));
  }
  if (asked.show && !asked.serves()) return exit_code::done;

  auto arguments = server_words("fairlead answer", debug, asked.http);
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  auto run = server::read_options({.name = std::string(answer::server_name)}, static_cast<int>(pointers.size()),
                                  pointers.data());
  return run.exit_code ? *run.exit_code : serve_answers(std::move(*loaded), debug, std::move(run.http));
}

}  // namespace fairlead::cli
