#include <charconv>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/gateway/record.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "cli/bridge_words.hpp"
#include "cli/commands.hpp"
#include "cli/json_log.hpp"
#include "cli/log_options.hpp"
#include "cli/named_server.hpp"
#include "cli/output.hpp"
#include "cli/replaying.hpp"
#include "cli/serving.hpp"

namespace fairlead::cli {
namespace {

constexpr auto replay_examples = R"(  fairlead call echo text=hello -- fairlead replay s.mcpl --as-server
  fairlead replay s.mcpl --as-server --port 9000 --lenient
  fairlead replay s.mcpl --as-server --fault drop=0.1,delay=50ms,seed=7
  fairlead replay s.mcpl --as-client -- ./my-server --its-option
  fairlead replay s.mcpl --as-client https://example.com/mcp --lenient)";

struct ReplayWords {
  std::string file = {}, speed = "0", fault = {}, timeout = "30s";
  bool as_server = false, as_client = false, strict = false, lenient = false;
  std::vector<std::string> ignore = {};
  BridgeWords bridge = {};
  UrlOptions at = {};
  LogOptions log = {};
  std::optional<gateway::ServerConfig> named = {};  ///< A configured server.
};

int replay_refuses(std::string_view why) {
  complain(fmt::format("fairlead replay: {}; see fairlead replay --help", why));
  return exit_code::usage;
}

void add_replay_options(Options& options, ReplayWords& words) {
  options.word("file", words.file, "what fairlead record wrote", true);
  options.flag("--as-server", words.as_server, "answer as the recorded server did, on stdin and stdout or on --port");
  options.flag("--as-client", words.as_client, "ask as the recorded clients did, and tell what is answered otherwise");
  options.flag("--strict", words.strict, "everything in its order (the default)");
  options.flag("--lenient", words.lenient, "whatever was recorded, in any order");
  options.text("--speed", words.speed, "1 takes the time that it took then, 2 half of it; 0 (the default) none",
               "<factor>");
  options.text("--fault", words.fault, "what goes wrong on the way, as of the middleware fault", "<name=value,...>");
  options.list("--ignore", words.ignore, "the name of a member whose values do not matter", "<name>");
  options.text("--timeout", words.timeout, "how long to wait for what has to come: 500ms, 30s (the default), 2m",
               "<duration>");
  add_bridge_options(options, words.bridge);
  add_url_options(options, words.at);
  add_servers_options(options, words.log);
}

Result<double> read_speed(const std::string& text) {
  double speed = -1;
  const auto* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, speed);
  if (error == std::errc() && end == last && speed >= 0 && speed <= 1e6) return speed;
  return fail(ErrorKind::invalid, fmt::format("--speed: '{}' is no factor; write 0, 1 or 0.5", text));
}

int serve_replayed(const ReplayWords& words, double speed) {
  auto decision = decide(words.log);
  if (!decision) return replay_refuses(decision.error().message);
  const auto fault = read_fault(words.fault);
  if (!fault) return replay_refuses(fault.error().message);
  gateway::ReplayOptions options{.path = words.file, .lenient = words.lenient, .speed = speed, .ignore = words.ignore};
  gateway::Loaded loaded;
  if (const auto told = listen_as_told(words.bridge.listen, loaded); !told) return replay_refuses(told.error().message);
  Serving serving{.config = std::move(loaded.config), .debug = std::move(*decision)};
  auto& config = serving.config;
  serving.announce = !words.bridge.listen.port.empty();
  if (!serving.announce) {
    listen_on_stdio(config.listen);
    config.log.level = LogLevel::warning;
  }
  if (!fault->empty()) config.chain.push_back({.name = "fault", .arguments = *fault});
  config.chain.push_back({.name = "replay"});
  serving.registry.add("replay", {.usage = "replay()",
                                  .summary = "Answers as a recorded server did.",
                                  .make = [options](gateway::Arguments&, Loop loop) {
                                    return gateway::replay(options, std::move(loop));
                                  }});
  return serve(std::move(serving));
}

/// The server that the command line names.
Result<gateway::ServerConfig> replayed_server(const ReplayWords& words, const std::string& url, const Words& given) {
  if (words.named) return *words.named;
  return url.empty() ? started_server(words.bridge, given.child) : remote_server(url, words.at);
}

int drive_replayed(const ReplayWords& words, double speed, const std::string& url, const Words& given) {
  const auto decision = decide(words.log);
  if (!decision) return replay_refuses(decision.error().message);
  auto server = replayed_server(words, url, given);
  if (!server) return replay_refuses(server.error().message);
  auto fault = read_fault(words.fault);
  if (!fault) return replay_refuses(fault.error().message);
  const auto patience = read_duration(words.timeout);
  if (!patience) return replay_refuses("--timeout " + patience.error().message);
  Replaying replaying{.file = words.file, .server = *std::move(server), .fault = *std::move(fault)};
  replaying.options = {.lenient = words.lenient, .speed = speed, .patience = *patience, .ignore = words.ignore};
  const auto log = make_log(*decision, LogLevel::warning, false);
  return replay_against(std::move(replaying), *log.sink);
}

}  // namespace

int run_replay(const Words& words) {
  Options options("replay <file> --as-server | --as-client [options] [<name> | <url> | -- <command...>]",
                  "Plays a recorded session: a double of its server for clients to be tested with, or of its clients "
                  "for servers. Nothing depends on time: pauses are left out unless --speed says otherwise.",
                  replay_examples);
  auto rest = words;
  const auto url = take_url(rest);
  ReplayWords told;
  add_replay_options(options, told);
  Result<std::optional<gateway::ServerConfig>> named;
  if (url.empty() && rest.child.empty()) named = take_named_server(rest.own, options);
  if (!named) return replay_refuses(named.error().message);
  told.named = *std::move(named);
  if (const auto done = options.parse(rest.own)) return *done;
  if (told.as_server == told.as_client) return replay_refuses("say --as-server or --as-client");
  if (told.strict && told.lenient) return replay_refuses("say --strict or --lenient, not both");
  const auto speed = read_speed(told.speed);
  if (!speed) return replay_refuses(speed.error().message);
  const bool names_server = !url.empty() || !rest.child.empty() || told.named;
  if (told.as_server && names_server) return replay_refuses("a recorded server needs no other");
  if (told.as_client && !names_server)
    return replay_refuses("which server? Name a configured one, give its URL, or its command behind --");
  return told.as_server ? serve_replayed(told, *speed) : drive_replayed(told, *speed, url, rest);
}

}  // namespace fairlead::cli
