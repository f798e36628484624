#include "demo/demo.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

constexpr auto demo_examples = R"(  fairlead demo
  fairlead demo --http 127.0.0.1:8080
  fairlead list tools -- fairlead demo
  fairlead list tools http://127.0.0.1:8080/mcp)";

/// What was decided here, as the server's own option.
std::string debug_option(const DebugDecision& decision) {
  if (!decision.on) return "--debug=off";
  return "--debug=" + (decision.file.empty() ? "on" : decision.file);
}

/// How it is served over HTTP; the server reads it.
struct HttpWords {
  std::string address = {}, workers = {}, certificate = {}, key = {}, client_ca = {}, keys = {};
  std::vector<std::string> hosts = {}, origins = {};
  bool insecure = false;
};

void add_http_options(Options& options, HttpWords& http) {
  options.text("--http", http.address, "serve clients over HTTP: /mcp, /sse, /rpc and /ws", "<host:port>");
  options.text("--workers", http.workers, "threads that serve them; 0 is one per core (default 1)", "<n>");
  options.text("--tls-cert", http.certificate, "with --tls-key: serve HTTPS, with this certificate (PEM)", "<file>");
  options.text("--tls-key", http.key, "the certificate's private key (PEM)", "<file>");
  options.text("--tls-client-ca", http.client_ca, "ask clients for a certificate that one of these signed", "<file>");
  options.text("--keys", http.keys, "let in only who sends a secret; a line: a name and the secret's SHA-256",
               "<file>");
  options.list("--allow-host", http.hosts, "a Host header to accept besides the own address", "<host>");
  options.list("--allow-origin", http.origins, "an origin whose pages may call", "<url>");
  options.flag("--insecure", http.insecure, "listen beyond this machine although nothing asks who calls");
}

void append(std::vector<std::string>& words, const char* name, const std::string& value) {
  if (!value.empty()) words.insert(words.end(), {name, value});
}

std::vector<std::string> words_of(const HttpWords& http) {
  std::vector<std::string> words;
  append(words, "--http", http.address);
  append(words, "--workers", http.workers);
  append(words, "--tls-cert", http.certificate);
  append(words, "--tls-key", http.key);
  append(words, "--tls-client-ca", http.client_ca);
  append(words, "--keys", http.keys);
  for (const auto& host : http.hosts) append(words, "--allow-host", host);
  for (const auto& origin : http.origins) append(words, "--allow-origin", origin);
  if (http.insecure) words.emplace_back("--insecure");
  return words;
}

}  // namespace

int run_demo(const Words& words) {
  Options options("demo [options]", "Serves one of everything that MCP has, on stdin and stdout or over HTTP.",
                  demo_examples);
  HttpWords http;
  add_http_options(options, http);
  LogOptions log;
  add_log_options(options, log);
  if (const auto done = options.parse(words.own)) return *done;
  if (!words.child.empty()) {
    complain("fairlead demo: it starts no other server, so nothing follows --; see fairlead demo --help");
    return exit_code::usage;
  }
  const auto decision = decide(log);
  if (!decision) {
    complain("fairlead demo: " + decision.error().message);
    return exit_code::usage;
  }
  auto arguments = words_of(http);
  arguments.insert(arguments.begin(), {"fairlead demo", debug_option(*decision)});
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  return demo::make_demo(std::string(version))->run(static_cast<int>(pointers.size()), pointers.data());
}

}  // namespace fairlead::cli
