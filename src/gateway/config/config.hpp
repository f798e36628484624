#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/auth/oauth_check.hpp>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/transport/mcp_http_handler.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/scalars.hpp"
#include "config/source.hpp"
#include "gateway/config/auth_config.hpp"

namespace fairlead::client {
enum class EraPreference : std::uint8_t;
}

/// Configuration of a gateway. Plain values, so that a reload can compare the old with the new ones.
namespace fairlead::gateway {

/// One step of a chain. `name` is the middleware's name in the registry.
struct MiddlewareConfig {
  std::string name;
  /// In order; arguments without a name have the name "".
  std::vector<std::pair<std::string, std::string>> arguments = {};
  config::SourceLocation at = {};  ///< Prefix of error messages.

  bool operator==(const MiddlewareConfig&) const = default;
};

/// Steps of a chain, outermost first.
using ChainConfig = std::vector<MiddlewareConfig>;

/// Whether all callers share the connection or process of a server, or each has its own.
enum class Share : std::uint8_t { shared, caller };

/// What the gateway does with tasks (extension of 2026-07-28) of a server.
enum class TaskHandling : std::uint8_t {
  pass,    ///< Clients that support tasks get them; others make plain calls.
  absorb,  ///< Also for other clients the server may start tasks: the gateway waits for their results.
  offer,   ///< The server has none: long calls of clients that support tasks become tasks of the gateway.
};

/// Delays before a server that exited is started again.
struct RestartConfig {
  Duration initial_delay = std::chrono::milliseconds{500};
  Duration max_delay = std::chrono::seconds{30};  ///< The delay doubles after each failure up to this.
  std::size_t max_failures = 0;  ///< Consecutive failures after which the server stays down; 0 for no limit.

  bool operator==(const RestartConfig&) const = default;
};

/// One upstream server: a command to run or a URL to call, never both.
struct ServerConfig {
  std::string name;

  std::vector<std::string> command = {};        ///< Executed without a shell.
  std::map<std::string, std::string> env = {};  ///< Added to the inherited environment.
  bool inherit_env = true;
  std::string cwd = {};  ///< Empty: the working directory of the gateway.
  config::ByteSize memory = {};
  Duration cpu_time = {};
  std::size_t open_files = 0;
  Share share = Share::shared;
  bool lazy = true;         ///< Start the server with the first call.
  Duration idle_stop = {};  ///< Stop the server after this idle time; 0 never.
  RestartConfig restart = {};

  std::string url = {};
  std::map<std::string, std::string> headers = {};
  std::string cacert = {};
  std::string cert = {};
  std::string key = {};
  ServerAuthConfig auth = {};

  client::EraPreference era = {};  ///< Automatic.
  std::string revision = {};       ///< Use this revision only; overrides `era`.
  Duration start_timeout = std::chrono::seconds{30};
  Duration timeout = std::chrono::minutes{5};  ///< Idle timeout of a call, restarted by progress; 0 for no limit.
  Duration max_time = std::chrono::hours{1};   ///< Limit for the whole call; 0 for no limit.
  std::size_t max_in_flight = 256;             ///< Concurrent calls; more are queued.
  std::size_t max_waiting = 1024;              ///< Queued calls; more are refused.
  TaskHandling tasks = TaskHandling::pass;
  Duration task_after = std::chrono::seconds{30};  ///< When a call becomes a task with `TaskHandling::offer`.
  std::string prefix = {};  ///< Prefix of its tools where names clash; empty for the server's name.
  bool disabled = false;
  ChainConfig chain = {};  ///< Runs between the common chain and this server.
  config::SourceLocation at = {};

  bool operator==(const ServerConfig&) const = default;
};

/// PEM files for TLS.
struct ListenTlsConfig {
  std::string cert = {};
  std::string key = {};
  std::string client_ca = {};

  bool operator==(const ListenTlsConfig&) const = default;
};

/// The client with which the gateway signs users in at an issuer of `listen.oauth`, to find out who uses a sign-in
/// page.
struct UserSignInConfig {
  std::string issuer = {};     ///< Where the client is registered; empty for the first issuer.
  std::string client_id = {};  ///< Empty to register.
  std::string client_secret = {};
  std::vector<std::string> scopes = {};  ///< Empty for `listen.oauth.scopes.all`.
  std::string resource = {};             ///< Empty for the URL of the gateway; `none` omits the parameter.

  bool operator==(const UserSignInConfig&) const = default;
};

/// OAuth access tokens of clients, which `listen.public_url` belongs to.
struct ListenOAuthConfig {
  std::vector<auth::TrustedIssuer> issuers = {};
  auth::ScopeRules scopes = {};
  auth::DpopOptions dpop = {};
  std::vector<std::string> algorithms = auth::OAuthCheckOptions{}.algorithms;
  std::string principal_claim = {};
  Duration skew = std::chrono::seconds{60};
  std::string name = {};    ///< For people, in the metadata.
  std::string cacert = {};  ///< Trusted for the issuers; empty for the system's CAs.
  UserSignInConfig sign_in = {};

  bool enabled() const { return *this != ListenOAuthConfig(); }
  bool operator==(const ListenOAuthConfig&) const = default;
};

/// Addresses and access rules for clients.
struct ListenConfig {
  bool http = true;
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;
  std::string base_path = {};  ///< Prefix of every path; empty or like `/tools`.
  transport::HttpPaths paths = {};
  bool single_path = false;
  ListenTlsConfig tls = {};
  std::string keys_file = {};
  std::map<std::string, std::string> keys = {};  ///< SHA-256 in hex of each caller's secret, by the caller's name.
  std::string public_url = {};                   ///< Origin that clients use; empty if unknown.
  ListenOAuthConfig oauth = {};
  std::vector<std::string> allow_hosts = {};
  std::vector<std::string> allow_origins = {};
  bool insecure = false;
  bool stdio = false;
  std::string unix_socket = {};
  std::size_t workers = 1;  ///< 0 for one per core.

  bool operator==(const ListenConfig&) const = default;
};

/// When the names of a server's tools and prompts get a prefix.
enum class PrefixPolicy : std::uint8_t { clash, always, never };

struct NamingConfig {
  PrefixPolicy prefix = PrefixPolicy::clash;
  std::string separator = "__";
  std::size_t max_length = 64;  ///< Longest name of a tool or prompt, in characters.

  bool operator==(const NamingConfig&) const = default;
};

/// Calls of stateless clients that are suspended until the client sends the input which the server asked for.
struct PendingInputConfig {
  std::size_t max_calls = 1024;
  Duration timeout = std::chrono::minutes{10};  ///< Per call.

  bool operator==(const PendingInputConfig&) const = default;
};

/// Value of `pins` for the default file.
inline constexpr std::string_view pins_on = "on";

enum class LogFormat : std::uint8_t { text, json };

/// Format of the access log.
enum class CallLogFormat : std::uint8_t { off, text, json };

struct LogConfig {
  LogLevel level = LogLevel::info;
  LogFormat format = LogFormat::text;
  CallLogFormat calls = CallLogFormat::off;

  bool operator==(const LogConfig&) const = default;
};

/// Export of trace spans over OTLP.
struct TraceConfig {
  std::string endpoint = {};  ///< URL of the OTLP receiver; empty for no export.
  std::string service = {};   ///< `service.name` of the spans.
  /// Ratio of sampled traces that start here, 0 to 1. Traces of clients keep the client's decision.
  double sample = 1;
  std::map<std::string, std::string> headers = {};

  bool operator==(const TraceConfig&) const = default;
};

struct GatewayConfig {
  std::vector<ServerConfig> servers = {};  ///< In the order of the files.
  ListenConfig listen = {};
  ChainConfig chain = {};  ///< Runs before every server.
  NamingConfig naming = {};
  PendingInputConfig pending_input = {};
  std::size_t spawn_concurrency = 4;
  std::string list_cache = {};  ///< File with the last complete lists of tools, prompts and resources; empty for none.
  std::string pins = {};        ///< File with the approved definitions, or `pins_on`; empty for none.
  Duration list_timeout = std::chrono::seconds{5};
  Duration server_request_timeout = std::chrono::minutes{5};  ///< Limit for requests of a server to a client.
  std::string metrics = "/metrics";                           ///< Path below `listen.base_path`; empty for none.
  LogConfig log = {};
  TraceConfig trace = {};
  bool server_timing = false;  ///< Add `Server-Timing` headers to HTTP responses.
  VaultConfig vault = {};
  std::string task_key = {};  ///< File with the key of task handles; empty for that of the vault, or a random one.
  std::string control = {};   ///< Path of the control socket, `off`, or empty for the default path.

  bool operator==(const GatewayConfig&) const = default;

  ServerConfig* find(std::string_view name);
  const ServerConfig* find(std::string_view name) const;
};

}  // namespace fairlead::gateway
