#include "cli/server_options.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/duration.hpp"
#include "cli/output.hpp"

namespace fairlead::cli {
namespace {

Result<transport::ChildOptions> child_of(const ServerOptions& server) {
  const auto& chosen = server.chosen;
  if (chosen.configured || !chosen.url.empty()) return transport::ChildOptions();
  if (chosen.command.empty()) {
    return fail(ErrorKind::invalid,
                "no server given: add the name of a configured server (see fairlead ls), a URL, or its command "
                "after --, as in: -- ./server --its-option");
  }
  transport::ChildOptions child{.command = chosen.command};
  child.directory = server.directory;
  auto environment = read_settings(server.environment);
  if (!environment) return std::unexpected(std::move(environment.error()));
  child.environment = *std::move(environment);
  child.on_stderr = [](std::string_view line) { print_stderr(line); };
  if (server.framing == "content-length") child.framing.output = transport::OutputFraming::content_length;
  return child;
}

// Options whose value may be a URL that is not the server's.
bool takes_value(std::string_view option) {
  constexpr auto names =
      std::to_array<std::string_view>({"--root", "--sample", "--answer", "-H", "--header", "--against", "--resource",
                                       "--callback-url", "--client-metadata-url", "--issuer"});
  return std::ranges::find(names, option) != names.end();
}

}  // namespace

void add_server_options(Options& options, ServerOptions& server) {
  options.flag("--json", server.json, "print one JSON document instead of text");
  options.text("--timeout", server.timeout, "how long to wait for a response: 500ms, 30s (default), 2m", "<duration>");
  options.choice("--framing", server.framing, "how messages are framed on the server's stdin",
                 {"line", "content-length"});
  options.repeatable("-e,--env", server.environment, "an environment variable for the server", "<name=value>");
  options.text("--cwd", server.directory, "the working directory of the server", "<directory>");
  add_config_options(options, server.log);
  add_url_options(options, server.url);
  options.text("--account", server.account, "which login to use, if you have several at the server", "<name>");
}

bool is_url(std::string_view word) {
  constexpr std::array<std::string_view, 9> schemes{"http://",  "https://", "ws://",  "wss://", "rpc+http",
                                                    "sse+http", "rpc+ws",   "unix:/", "tcp:"};
  return std::ranges::any_of(schemes, [&](auto scheme) { return word.starts_with(scheme); });
}

void add_url_options(Options& options, UrlOptions& at) {
  options.repeatable("-H,--header", at.headers, "a header to send with every request to a URL", "<name: value>");
  options.text("--bearer", at.bearer, "a bearer token for the server at a URL", "<token>");
  add_tls_options(options, at);
}

void add_tls_options(Options& options, UrlOptions& at) {
  options.text("--cacert", at.ca_file, "certificates to trust besides the system's (PEM)", "<file>");
  options.text("--cert", at.certificate_file, "the client certificate, for servers that request one (PEM)", "<file>");
  options.text("--key", at.key_file, "the private key of the client certificate (PEM)", "<file>");
}

std::string extract_url(Args& args) {
  if (args.server_command.size() == 1 && is_url(args.server_command.front())) {
    return std::exchange(args.server_command, {}).front();
  }
  if (!args.server_command.empty()) return {};
  for (auto word = args.own.begin(); word != args.own.end(); ++word) {
    if (!is_url(*word) || (word != args.own.begin() && takes_value(*(word - 1)))) continue;
    auto url = std::move(*word);
    args.own.erase(word);
    return url;
  }
  return {};
}

Result<transport::HttpClientOptions> http_client_options(const UrlOptions& at) {
  transport::HttpClientOptions options{.bearer = at.bearer};
  for (const auto& header : at.headers) {
    const auto colon = header.find(':');
    if (colon == std::string::npos || colon == 0) {
      return fail(ErrorKind::invalid, "--header: expected 'Name: value'");
    }
    const auto value = protocol::trim_header(std::string_view(header).substr(colon + 1));
    options.headers.push_back({header.substr(0, colon), std::string(value)});
  }
  options.http.tls = {.ca_file = at.ca_file, .certificate_file = at.certificate_file, .key_file = at.key_file};
  return options;
}

Result<std::map<std::string, std::string>> read_settings(const std::vector<std::string>& settings) {
  std::map<std::string, std::string> read;
  for (const auto& setting : settings) {
    const auto equals = setting.find('=');
    // The text may be a secret: do not repeat it.
    if (equals == std::string::npos || equals == 0) return fail(ErrorKind::invalid, "--env: expected NAME=value");
    read[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return read;
}

Result<ServerSettings> resolve_server_settings(const ServerOptions& server) {
  auto child = child_of(server);
  if (!child) return std::unexpected(std::move(child.error()));
  const auto timeout = read_duration(server.timeout);
  if (!timeout) return fail(ErrorKind::invalid, "--timeout " + timeout.error().message);
  auto debug = resolve_debug(server.log);
  if (!debug) return std::unexpected(std::move(debug.error()));
  return ServerSettings{.child = std::move(*child), .timeout = *timeout, .debug = std::move(*debug)};
}

}  // namespace fairlead::cli
