#include "cli/http_serve_options.hpp"

namespace fairlead::cli {
namespace {

/// The debug decision as an option of the server library.
std::string debug_option(const DebugDecision& decision) {
  if (!decision.on) return "--debug=off";
  return "--debug=" + (decision.file.empty() ? "on" : decision.file);
}

void append(std::vector<std::string>& arguments, const char* name, const std::string& value) {
  if (!value.empty()) arguments.insert(arguments.end(), {name, value});
}

}  // namespace

void add_http_options(Options& options, HttpServeOptions& http) {
  options.text("--http", http.address, "serve clients over HTTP: /mcp, /sse, /rpc and /ws", "<host:port>");
  options.text("--workers", http.workers, "number of threads; 0 for one per core (default 1)", "<n>");
  options.text("--tls-cert", http.certificate, "with --tls-key: serve HTTPS with this certificate (PEM)", "<file>");
  options.text("--tls-key", http.key, "the private key of the certificate (PEM)", "<file>");
  options.text("--tls-client-ca", http.client_ca, "accept only clients with a certificate signed by one of these",
               "<file>");
  options.text("--keys", http.keys, "accept only clients that send a key of this file; see fairlead key --help",
               "<file>");
  options.repeatable("--oauth-issuer", http.oauth_issuers,
                     "accept only clients with a token of this authorization server; needs --public-url", "<url>");
  options.repeatable("--oauth-scope", http.oauth_scopes, "a scope that every token needs", "<scope>");
  options.text("--public-url", http.public_url, "the address that clients use, as in https://tools.example", "<url>");
  options.repeatable("--allow-host", http.hosts, "a host name to accept besides the own address (Host header)",
                     "<host>");
  options.repeatable("--allow-origin", http.origins, "a web origin whose pages may call", "<url>");
  options.flag("--insecure", http.insecure, "listen beyond this machine without any authentication");
}

std::vector<std::string> server_arguments(std::string name, const DebugDecision& debug, const HttpServeOptions& http) {
  std::vector<std::string> arguments{std::move(name), debug_option(debug)};
  append(arguments, "--http", http.address);
  append(arguments, "--workers", http.workers);
  append(arguments, "--tls-cert", http.certificate);
  append(arguments, "--tls-key", http.key);
  append(arguments, "--tls-client-ca", http.client_ca);
  append(arguments, "--keys", http.keys);
  for (const auto& issuer : http.oauth_issuers) append(arguments, "--oauth-issuer", issuer);
  for (const auto& scope : http.oauth_scopes) append(arguments, "--oauth-scope", scope);
  append(arguments, "--public-url", http.public_url);
  for (const auto& host : http.hosts) append(arguments, "--allow-host", host);
  for (const auto& origin : http.origins) append(arguments, "--allow-origin", origin);
  if (http.insecure) arguments.emplace_back("--insecure");
  return arguments;
}

}  // namespace fairlead::cli
