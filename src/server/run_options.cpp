#include "server/run_options.hpp"

#include <charconv>
#include <cstdio>
#include <fairlead/auth/keyring.hpp>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

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
  --stdio                serve the client on stdin and stdout until it hangs up; the default
  --http <host:port>     serve clients over HTTP: /mcp, /sse, /rpc and /ws
  --workers <n>          threads that serve them; 0 is one per core (default 1)
  --tls-cert <file>      with --tls-key: serve HTTPS, with this certificate (PEM)
  --tls-key <file>
  --tls-client-ca <file> ask clients for a certificate that one of these has signed
  --keys <file>          let in only who sends a secret; a line is a name and the SHA-256 of its secret in hex
  --allow-host <host>    a Host header to accept besides the own address; may be repeated
  --allow-origin <url>   an origin whose pages may call; may be repeated
  --insecure             listen beyond this machine although nothing asks who calls
  --debug[=<file>]       log every step on stderr, and to a file as well
  -h, --help             print this and exit
  --version              print the version and exit
)";
}

Result<std::uint64_t> number(std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > most) {
    return fail(ErrorKind::invalid, "is no number from 0 to " + std::to_string(most));
  }
  return value;
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
  auto keys = auth::read_keys(path);
  if (!keys) return std::unexpected(std::move(keys.error()));
  auto keyring = auth::Keyring::make(std::move(*keys));
  if (!keyring) return std::unexpected(std::move(keyring.error()));
  listen.gates.push_back(std::make_shared<const auth::Keyring>(std::move(*keyring)));
  listen.authenticated = true;
  return {};
}

/// Collects what the words say.
class Reader {
 public:
  Reader(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) words_.emplace_back(argv[i]);
  }

  /// What is wrong, if anything is.
  std::optional<std::string> read() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const auto equals = words_[i].starts_with("--") ? words_[i].find('=') : std::string::npos;
      const auto name = words_[i].substr(0, equals);
      const auto taker = takers_.find(name);
      if (taker == takers_.end()) return unknown(words_[i]);
      std::string value = equals == std::string::npos ? "" : words_[i].substr(equals + 1);
      if (equals != std::string::npos && taker->second.value == Value::none) return name + " takes no value";
      if (equals == std::string::npos && taker->second.value == Value::needed) {
        if (++i == words_.size()) return name + " needs a value";
        value = words_[i];
      }
      if (auto taken = taker->second.take(value); !taken) return name + " '" + value + "': " + taken.error().message;
    }
    return complete();
  }

  bool wants_help = false, wants_version = false;
  DebugWishes wishes{.environment = debug_environment()};
  std::optional<HttpOptions> http;

 private:
  enum class Value : std::uint8_t { none, optional, needed };
  struct Taker {
    Value value;
    std::function<Result<void>(const std::string&)> take;
  };

  static std::string unknown(const std::string& word) {
    return (word.starts_with('-') ? "unknown option '" : "unexpected argument '") + word + "'";
  }

  std::optional<std::string> complete() {
    if (!over_http_ && for_http_) return *for_http_ + " is for --http <host:port>";
    if (!over_http_) return std::nullopt;
    if (tls_.certificate_file.empty() != tls_.key_file.empty()) return "--tls-cert and --tls-key go together";
    if (tls_.certificate_file.empty() && !tls_.client_ca_file.empty()) {
      return "--tls-client-ca needs --tls-cert and --tls-key";
    }
    if (!tls_.certificate_file.empty()) gathered_.listen.tls = tls_;
    // Nobody comes in without a certificate that we trust.
    if (!tls_.client_ca_file.empty()) gathered_.listen.authenticated = true;
    http = std::move(gathered_);
    return std::nullopt;
  }

  Taker flag(bool& target) {
    return {Value::none, [&target](const std::string&) -> Result<void> {
              target = true;
              return {};
            }};
  }
  Taker text(std::string& target) {
    return {Value::needed, [&target](const std::string& value) -> Result<void> {
              target = value;
              return {};
            }};
  }
  Taker list(std::vector<std::string>& target) {
    return {Value::needed, [&target](const std::string& value) -> Result<void> {
              target.push_back(value);
              return {};
            }};
  }
  /// An option that means nothing without --http.
  Taker http_only(const char* name, Taker taker) {
    return {taker.value, [this, name, take = std::move(taker.take)](const std::string& value) {
              for_http_ = name;
              return take(value);
            }};
  }
  Result<void> take_workers(const std::string& value) {
    const auto count = number(value, 1024);
    if (!count) return std::unexpected(count.error());
    gathered_.workers = *count;
    return {};
  }

  std::vector<std::string> words_;
  HttpOptions gathered_ = {};
  http::TlsServerOptions tls_ = {};
  std::optional<std::string> for_http_;
  bool stdio_ = false, over_http_ = false;
  std::map<std::string, Taker, std::less<>> takers_ = {
      {"-h", flag(wants_help)},
      {"--help", flag(wants_help)},
      {"--version", flag(wants_version)},
      {"--stdio", flag(stdio_)},
      {"--debug",
       {Value::optional,
        [this](const std::string& value) -> Result<void> {
          wishes.command_line = value.empty() ? "on" : value;
          return {};
        }}},
      {"--http",
       {Value::needed,
        [this](const std::string& value) {
          over_http_ = true;
          return read_address(value, gathered_.listen);
        }}},
      {"--workers",
       http_only("--workers", {Value::needed, [this](const std::string& value) { return take_workers(value); }})},
      {"--tls-cert", http_only("--tls-cert", text(tls_.certificate_file))},
      {"--tls-key", http_only("--tls-key", text(tls_.key_file))},
      {"--tls-client-ca", http_only("--tls-client-ca", text(tls_.client_ca_file))},
      {"--keys",
       http_only("--keys", {Value::needed, [this](const std::string& v) { return read_keys(v, gathered_.listen); }})},
      {"--allow-host", http_only("--allow-host", list(gathered_.listen.guard.hosts))},
      {"--allow-origin", http_only("--allow-origin", list(gathered_.listen.cors.origins))},
      {"--insecure", http_only("--insecure", flag(gathered_.listen.insecure))},
  };
};

}  // namespace

RunOptions read_options(const protocol::Implementation& self, int argc, char** argv) {
  RunOptions options;
  Reader reader(argc, argv);
  const auto wrong = reader.read();
  const std::string program = argc > 0 ? program_name(self, argv) : self.name;
  if (reader.wants_help) {
    print(stdout, help(self, program));
    options.exit_code = 0;
  } else if (reader.wants_version) {
    print(stdout, self.name + " " + self.version + "\n");
    options.exit_code = 0;
  } else if (wrong) {
    print(stderr, program + ": " + *wrong + "; " + program + " --help lists what there is\n");
    options.exit_code = 2;
  }
  options.debug = decide_debug(reader.wishes);
  options.http = std::move(reader.http);
  return options;
}

}  // namespace fairlead::server
