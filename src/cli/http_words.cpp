#include "cli/http_words.hpp"

namespace fairlead::cli {
namespace {

/// What was decided here, as the server's own option.
std::string debug_option(const DebugDecision& decision) {
  if (!decision.on) return "--debug=off";
  return "--debug=" + (decision.file.empty() ? "on" : decision.file);
}

void append(std::vector<std::string>& words, const char* name, const std::string& value) {
  if (!value.empty()) words.insert(words.end(), {name, value});
}

}  // namespace

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

std::vector<std::string> server_words(std::string name, const DebugDecision& debug, const HttpWords& http) {
  std::vector<std::string> words{std::move(name), debug_option(debug)};
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

}  // namespace fairlead::cli
