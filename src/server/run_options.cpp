#include "server/run_options.hpp"

#include <cstdio>
#include <fairlead/auth/api_keys.hpp>
#include <functional>
#include <map>
#include <utility>

#include "base/parse_number.hpp"

namespace fairlead::server {
namespace {

void print(std::FILE* to, const std::string& text) {
  std::fputs(text.c_str(), to);
}

std::string program_name(const protocol::Implementation& self, char** argv) {
  const std::string_view path = argv[0] != nullptr ? argv[0] : "";
  const auto name = path.substr(path.find_last_of('/') + 1);
  return name.empty() ? self.name : std::string(name);
}

std::string help(const protocol::Implementation& self, const std::string& program) {
  std::string text = "usage: " + program + " [--stdio | --http <address>] [options]\n       " + program +
                     " --help | --version\n\n" + self.title.value_or(self.name) + ", an MCP server.\n";
  if (self.description) text += *self.description + "\n";
  return text + R"(
  --stdio                serve one client on stdin and stdout (default)
  --http <host:port>     serve clients over HTTP: /mcp, /sse, /rpc and /ws
  --workers <n>          HTTP threads; 0: one per core (default 1)
  --tls-cert <file>      certificate for HTTPS (PEM); needs --tls-key
  --tls-key <file>       private key of the certificate (PEM)
  --tls-client-ca <file> require client certificates signed by one of these CAs (PEM)
  --keys <file>          require an API key; each line: a name and the SHA-256 of its key in hex
  --oauth-issuer <url>   require an OAuth token of this authorization server; repeatable; needs --public-url
  --oauth-scope <scope>  a scope that every token needs; repeatable
  --public-url <url>     the address that clients use, as in https://tools.example
  --allow-host <host>    accept this Host header besides the own address; repeatable
  --allow-origin <url>   accept requests from this web origin (CORS); repeatable
  --insecure             allow a non-loopback address without authentication
  --debug[=<file>]       write a debug log to stderr, and to a file
  -h, --help             print this and exit
  --version              print the version and exit
)";
}

Result<std::uint64_t> number(std::string_view text, std::uint64_t max_value) {
  const auto value = parse_number<std::uint64_t>(text);
  if (value && *value <= max_value) return *value;
  return fail(ErrorKind::invalid, "expected a number from 0 to " + std::to_string(max_value));
}

// host:port, [address]:port, :port or port.
Result<void> read_address(std::string_view text, http::ListenOptions& listen) {
  const auto colon = text.rfind(':');
  const auto port = number(colon == std::string_view::npos ? text : text.substr(colon + 1), 65535);
  if (!port) return fail(ErrorKind::invalid, "write <host>:<port>, as in 127.0.0.1:8080");
  listen.port = static_cast<std::uint16_t>(*port);
  if (colon == std::string_view::npos || colon == 0) return {};
  auto host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  listen.host = std::string(host);
  return {};
}

Result<void> read_keys(const std::string& path, http::ListenOptions& listen) {
  auto keys = auth::read_api_keys(path);
  if (!keys) return std::unexpected(std::move(keys.error()));
  auto keyring = auth::ApiKeyCheck::make(std::move(*keys));
  if (!keyring) return std::unexpected(std::move(keyring.error()));
  listen.access_checks.push_back(std::make_shared<const auth::ApiKeyCheck>(std::move(*keyring)));
  listen.authenticated = true;
  return {};
}

/// Parses the command line of a server.
class OptionParser {
 public:
  OptionParser(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) args_.emplace_back(argv[i]);
  }

  /// Returns the usage error, if any.
  std::optional<std::string> read() {
    for (std::size_t i = 0; i < args_.size(); ++i) {
      const auto equals = args_[i].starts_with("--") ? args_[i].find('=') : std::string::npos;
      const auto name = args_[i].substr(0, equals);
      const auto handler = handlers_.find(name);
      if (handler == handlers_.end()) return unknown(args_[i]);
      std::string value = equals == std::string::npos ? "" : args_[i].substr(equals + 1);
      if (equals != std::string::npos && handler->second.value == Value::none) return name + " takes no value";
      if (equals == std::string::npos && handler->second.value == Value::needed) {
        if (++i == args_.size()) return name + " needs a value";
        value = args_[i];
      }
      if (auto taken = handler->second.apply(value); !taken) return name + " '" + value + "': " + taken.error().message;
    }
    return complete();
  }

  bool wants_help = false, wants_version = false;
  DebugSettings debug_settings{.environment = debug_environment()};
  std::optional<HttpOptions> http;

 private:
  enum class Value : std::uint8_t { none, optional, needed };
  struct OptionHandler {
    Value value;
    std::function<Result<void>(const std::string&)> apply;
  };

  static std::string unknown(const std::string& word) {
    return (word.starts_with('-') ? "unknown option '" : "unexpected argument '") + word + "'";
  }

  std::optional<std::string> complete() {
    if (!over_http_ && http_only_option_) return *http_only_option_ + " needs --http <host:port>";
    if (!over_http_) return std::nullopt;
    if (tls_.certificate_file.empty() != tls_.key_file.empty()) return "give both --tls-cert and --tls-key";
    if (tls_.certificate_file.empty() && !tls_.client_ca_file.empty()) {
      return "--tls-client-ca needs --tls-cert and --tls-key";
    }
    if (!tls_.certificate_file.empty()) http_options_.listen.tls = tls_;
    // TLS requires a trusted client certificate.
    if (!tls_.client_ca_file.empty()) http_options_.listen.authenticated = true;
    if (issuers_.empty() != public_url_.empty()) return "give both --oauth-issuer and --public-url";
    if (issuers_.empty() && !scopes_.empty()) return "--oauth-scope needs --oauth-issuer";
    if (!issuers_.empty() && !http_options_.listen.access_checks.empty()) return "give --keys or --oauth-issuer";
    if (!issuers_.empty()) require_oauth();
    http = std::move(http_options_);
    return std::nullopt;
  }

  void require_oauth() {
    auth::OAuthCheckOptions oauth;
    while (public_url_.ends_with('/')) public_url_.pop_back();
    oauth.resource = public_url_ + http_options_.mcp.paths.mcp;
    for (auto& issuer : issuers_) oauth.issuers.push_back({.issuer = std::move(issuer)});
    oauth.scopes.all = std::move(scopes_);
    http_options_.oauth = std::move(oauth);
  }

  OptionHandler flag(bool& target) {
    return {Value::none, [&target](const std::string&) -> Result<void> {
              target = true;
              return {};
            }};
  }
  OptionHandler text(std::string& target) {
    return {Value::needed, [&target](const std::string& value) -> Result<void> {
              target = value;
              return {};
            }};
  }
  OptionHandler list(std::vector<std::string>& target) {
    return {Value::needed, [&target](const std::string& value) -> Result<void> {
              target.push_back(value);
              return {};
            }};
  }
  /// An option that needs --http.
  OptionHandler http_only(const char* name, OptionHandler handler) {
    return {handler.value, [this, name, apply = std::move(handler.apply)](const std::string& value) {
              http_only_option_ = name;
              return apply(value);
            }};
  }
  Result<void> set_workers(const std::string& value) {
    const auto count = number(value, 1024);
    if (!count) return std::unexpected(count.error());
    http_options_.workers = *count;
    return {};
  }

  std::vector<std::string> args_;
  HttpOptions http_options_ = {};
  http::TlsServerOptions tls_ = {};
  std::optional<std::string> http_only_option_;
  std::vector<std::string> issuers_, scopes_;
  std::string public_url_;
  bool stdio_ = false, over_http_ = false;
  std::map<std::string, OptionHandler, std::less<>> handlers_ = {
      {"-h", flag(wants_help)},
      {"--help", flag(wants_help)},
      {"--version", flag(wants_version)},
      {"--stdio", flag(stdio_)},
      {"--debug",
       {Value::optional,
        [this](const std::string& value) -> Result<void> {
          debug_settings.command_line = value.empty() ? "on" : value;
          return {};
        }}},
      {"--http",
       {Value::needed,
        [this](const std::string& value) {
          over_http_ = true;
          return read_address(value, http_options_.listen);
        }}},
      {"--workers",
       http_only("--workers", {Value::needed, [this](const std::string& value) { return set_workers(value); }})},
      {"--tls-cert", http_only("--tls-cert", text(tls_.certificate_file))},
      {"--tls-key", http_only("--tls-key", text(tls_.key_file))},
      {"--tls-client-ca", http_only("--tls-client-ca", text(tls_.client_ca_file))},
      {"--keys", http_only("--keys", {Value::needed,
                                      [this](const std::string& v) { return read_keys(v, http_options_.listen); }})},
      {"--oauth-issuer", http_only("--oauth-issuer", list(issuers_))},
      {"--oauth-scope", http_only("--oauth-scope", list(scopes_))},
      {"--public-url", http_only("--public-url", text(public_url_))},
      {"--allow-host", http_only("--allow-host", list(http_options_.listen.host_origin.hosts))},
      {"--allow-origin", http_only("--allow-origin", list(http_options_.listen.cors.origins))},
      {"--insecure", http_only("--insecure", flag(http_options_.listen.insecure))},
  };
};

}  // namespace

RunOptions read_options(const protocol::Implementation& self, int argc, char** argv) {
  RunOptions options;
  OptionParser parser(argc, argv);
  const auto usage_error = parser.read();
  const std::string program = argc > 0 ? program_name(self, argv) : self.name;
  if (parser.wants_help) {
    print(stdout, help(self, program));
    options.exit_code = 0;
  } else if (parser.wants_version) {
    print(stdout, self.name + " " + self.version + "\n");
    options.exit_code = 0;
  } else if (usage_error) {
    print(stderr, program + ": " + *usage_error + "; " + program + " --help lists the options\n");
    options.exit_code = 2;
  }
  options.debug = decide_debug(parser.debug_settings);
  options.http = std::move(parser.http);
  return options;
}

}  // namespace fairlead::server
