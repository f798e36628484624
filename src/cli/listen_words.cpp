#include "cli/listen_words.hpp"

#include <utility>

#include "cli/listening.hpp"
#include "gateway/config/text_forms.hpp"

namespace fairlead::cli {
namespace {

/// Puts values of the command line in the place of configured ones.
class Overriding {
 public:
  explicit Overriding(gateway::Loaded& loaded) : loaded_(loaded) {}

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
  // A source without a file is the command line.
  void mark(const char* key) { loaded_.sources.set(std::string("listen.") + key, {}); }

  gateway::Loaded& loaded_;
};

}  // namespace

void add_listen_options(Options& options, ListenWords& words) {
  options.text("-p,--port", words.port, "the port to listen on (default 8080); 0 takes any free port", "<port>");
  options.text("--host", words.host, "the address to listen on (default 127.0.0.1); 0.0.0.0 for all", "<address>");
  options.text("--path", words.path, "the URL path of the MCP endpoint (default /mcp)", "<path>");
  options.text("--keys", words.keys, "accept only clients that send a key of this file; see fairlead key --help",
               "<file>");
  options.text("--tls-cert", words.certificate, "with --tls-key: serve HTTPS with this certificate (PEM)", "<file>");
  options.text("--tls-key", words.private_key, "the private key of the certificate (PEM)", "<file>");
  options.text("--tls-client-ca", words.client_ca, "accept only clients with a certificate signed by one of these",
               "<file>");
  options.list("--cors,--allow-origin", words.origins, "a web origin whose pages may call, or '*'", "<origin>");
  options.list("--allow-host", words.hosts, "a host name to serve besides the own address (Host header)", "<host>");
  options.flag("--insecure", words.insecure, "listen beyond this machine without any authentication");
  options.flag("--stdio", words.stdio, "serve one client on stdin and stdout; with --port over HTTP as well");
}

Result<void> listen_as_told(const ListenWords& words, gateway::Loaded& loaded) {
  auto& listen = loaded.config.listen;
  Overriding told(loaded);
  told.set_text("host", listen.host, words.host);
  if (!words.port.empty()) {
    const auto port = read_port(words.port);
    if (!port) return std::unexpected(port.error());
    told.set("port", listen.port, *port);
  }
  if (!words.path.empty()) {
    auto path = gateway::read_url_path(words.path, words.path);
    if (!path || path->empty()) return fail(ErrorKind::invalid, "--path: '" + words.path + "' is not a path like /mcp");
    told.set("paths.mcp", listen.paths.mcp, *std::move(path));
  }
  told.set_text("keys_file", listen.keys_file, words.keys);
  told.set_text("tls.cert", listen.tls.cert, words.certificate);
  told.set_text("tls.key", listen.tls.key, words.private_key);
  told.set_text("tls.client_ca", listen.tls.client_ca, words.client_ca);
  if (listen.tls.cert.empty() != listen.tls.key.empty()) {
    return fail(ErrorKind::invalid, "HTTPS needs both a certificate and its key: give --tls-cert and --tls-key");
  }
  if (!words.client_ca.empty() && listen.tls.cert.empty()) {
    return fail(ErrorKind::invalid, "--tls-client-ca needs HTTPS: give --tls-cert and --tls-key as well");
  }
  told.append("allow_origins", listen.allow_origins, words.origins);
  told.append("allow_hosts", listen.allow_hosts, words.hosts);
  if (words.insecure) told.set("insecure", listen.insecure, true);
  if (words.stdio) {
    told.set("stdio", listen.stdio, true);
    if (words.port.empty()) told.set("http", listen.http, false);
  }
  return {};
}

}  // namespace fairlead::cli
