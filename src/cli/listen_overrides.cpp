#include "cli/listen_overrides.hpp"

#include <utility>

#include "base/parse_number.hpp"
#include "config/text_codecs.hpp"

namespace fairlead::cli {
namespace {

/// Replaces configured values by those of the command line, and records the source.
class ConfigOverrider {
 public:
  explicit ConfigOverrider(gateway::LoadedConfig& loaded) : loaded_(loaded) {}

  template <class Value>
  void set(const char* key, Value& into, Value value) {
    into = std::move(value);
    mark(key);
  }
  void set_text(const char* key, std::string& into, const std::string& value) {
    if (!value.empty()) set(key, into, value);
  }
  void append(const char* key, std::vector<std::string>& into, const std::vector<std::string>& values) {
    into.insert(into.end(), values.begin(), values.end());
    if (!values.empty()) mark(key);
  }

 private:
  // A source without a file means the command line.
  void mark(const char* key) { loaded_.sources.set(std::string("listen.") + key, {}); }

  gateway::LoadedConfig& loaded_;
};

/// Port 0 means any free port.
Result<std::uint16_t> read_port(const std::string& text) {
  if (const auto port = parse_number<std::uint16_t>(text)) return *port;
  return fail(ErrorKind::invalid, "--port: '" + text + "' is not a port; expected a number from 0 to 65535");
}

}  // namespace

void add_listen_options(Options& options, ListenOverrides& flags) {
  options.text("-p,--port", flags.port, "the port to listen on (default 8080); 0 takes any free port", "<port>");
  options.text("--host", flags.host, "the address to listen on (default 127.0.0.1); 0.0.0.0 for all", "<address>");
  options.text("--path", flags.path, "the URL path of the MCP endpoint (default /mcp)", "<path>");
  options.text("--keys", flags.keys, "accept only clients that send a key of this file; see fairlead key --help",
               "<file>");
  options.text("--tls-cert", flags.certificate, "with --tls-key: serve HTTPS with this certificate (PEM)", "<file>");
  options.text("--tls-key", flags.private_key, "the private key of the certificate (PEM)", "<file>");
  options.text("--tls-client-ca", flags.client_ca, "accept only clients with a certificate signed by one of these",
               "<file>");
  options.repeatable("--cors,--allow-origin", flags.origins, "a web origin whose pages may call, or '*'", "<origin>");
  options.repeatable("--allow-host", flags.hosts, "a host name to serve besides the own address (Host header)",
                     "<host>");
  options.flag("--insecure", flags.insecure, "listen beyond this machine without any authentication");
  options.flag("--stdio", flags.stdio, "serve one client on stdin and stdout; with --port over HTTP as well");
}

Result<void> apply_listen_overrides(const ListenOverrides& flags, gateway::LoadedConfig& loaded) {
  auto& listen = loaded.config.listen;
  ConfigOverrider overrider(loaded);
  overrider.set_text("host", listen.host, flags.host);
  if (!flags.port.empty()) {
    const auto port = read_port(flags.port);
    if (!port) return std::unexpected(port.error());
    overrider.set("port", listen.port, *port);
  }
  if (!flags.path.empty()) {
    auto path = config::read_url_path(flags.path, flags.path);
    if (!path || path->empty()) return fail(ErrorKind::invalid, "--path: '" + flags.path + "' is not a path like /mcp");
    overrider.set("paths.mcp", listen.paths.mcp, *std::move(path));
  }
  overrider.set_text("keys_file", listen.keys_file, flags.keys);
  overrider.set_text("tls.cert", listen.tls.cert, flags.certificate);
  overrider.set_text("tls.key", listen.tls.key, flags.private_key);
  overrider.set_text("tls.client_ca", listen.tls.client_ca, flags.client_ca);
  if (listen.tls.cert.empty() != listen.tls.key.empty()) {
    return fail(ErrorKind::invalid, "HTTPS needs both a certificate and its key: give --tls-cert and --tls-key");
  }
  if (!flags.client_ca.empty() && listen.tls.cert.empty()) {
    return fail(ErrorKind::invalid, "--tls-client-ca needs HTTPS: give --tls-cert and --tls-key as well");
  }
  overrider.append("allow_origins", listen.allow_origins, flags.origins);
  overrider.append("allow_hosts", listen.allow_hosts, flags.hosts);
  if (flags.insecure) overrider.set("insecure", listen.insecure, true);
  if (flags.stdio) {
    overrider.set("stdio", listen.stdio, true);
    if (flags.port.empty()) overrider.set("http", listen.http, false);
  }
  return {};
}

}  // namespace fairlead::cli
