#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/transport/http_front.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::client {
enum class Era : std::uint8_t;
}

/// What the gateway is told to be. Plain values: a reload compares the old with the new.
namespace fairlead::gateway {

/// Where something was written, as in `chain.yaml:12: servers.git`. The same thing in another place is no other thing.
struct Origin {
  std::string text = {};

  bool operator==(const Origin&) const { return true; }
};

/// A size; 0 where there is no limit.
struct Bytes {
  std::uint64_t count = 0;

  bool operator==(const Bytes&) const = default;
};

/// One step of a chain, by the name that the registry of middleware knows it by.
struct MiddlewareConfig {
  std::string name;
  std::vector<std::pair<std::string, std::string>> arguments = {};  ///< In order; those without a name under "".
  Origin at = {};                                                   ///< To begin an error with.

  bool operator==(const MiddlewareConfig&) const = default;
};

/// The first is outermost.
using ChainConfig = std::vector<MiddlewareConfig>;

/// Who shares a child process.
enum class Share : std::uint8_t { shared, caller };

/// How long to wait before a server that died is started again.
struct RestartConfig {
  Duration first = std::chrono::milliseconds{500};
  Duration most = std::chrono::seconds{30};  ///< Each wait is twice the one before, up to this.
  std::size_t give_up_after = 0;             ///< Failures in a row; 0 never.

  bool operator==(const RestartConfig&) const = default;
};

/// One external server: a command to run, or a URL to call, never both.
struct ServerConfig {
  std::string name;

  std::vector<std::string> command = {};        ///< As it is: no shell reads it.
  std::map<std::string, std::string> env = {};  ///< Over what is inherited.
  bool inherit_env = true;
  std::string cwd = {};  ///< Ours if empty.
  Bytes memory = {};
  Duration cpu_time = {};
  std::size_t open_files = 0;
  Share share = Share::shared;
  bool lazy = true;         ///< Started by the first call.
  Duration idle_stop = {};  ///< Stopped when unused for so long; 0 never.
  RestartConfig restart = {};

  std::string url = {};
  std::map<std::string, std::string> headers = {};
  std::string cacert = {};
  std::string cert = {};
  std::string key = {};

  client::Era era = {};       ///< Automatic.
  std::string revision = {};  ///< The only one to speak; overrides `era`.
  Duration start_timeout = std::chrono::seconds{30};
  Duration timeout = std::chrono::minutes{5};  ///< Without a sign of life; 0 for no limit.
  Duration max_time = std::chrono::hours{1};   ///< Whatever the signs of life; 0 for no limit.
  std::size_t max_in_flight = 256;             ///< Calls at a time; the others wait,
  std::size_t max_waiting = 1024;              ///< but no more of them than that.
  std::string prefix = {};                     ///< Instead of the name, where names clash.
  bool disabled = false;
  ChainConfig chain = {};  ///< Between the common chain and this server.
  Origin at = {};

  bool operator==(const ServerConfig&) const = default;
};

/// PEM files.
struct ListenTlsConfig {
  std::string cert = {};
  std::string key = {};
  std::string client_ca = {};

  bool operator==(const ListenTlsConfig&) const = default;
};

/// Where clients come in.
struct ListenConfig {
  bool http = true;
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;
  std::string base_path = {};  ///< In front of every path; empty or like `/tools`.
  transport::HttpPaths paths = {};
  bool single_path = false;
  ListenTlsConfig tls = {};
  std::string keys_file = {};
  std::map<std::string, std::string> keys = {};  ///< From a caller's name to the SHA-256 of its secret, in hex.
  std::vector<std::string> allow_hosts = {};
  std::vector<std::string> allow_origins = {};
  bool insecure = false;
  bool stdio = false;
  std::string unix_socket = {};
  std::size_t workers = 1;  ///< 0 is one per core.

  bool operator==(const ListenConfig&) const = default;
};

/// When a server's names get its prefix.
enum class PrefixPolicy : std::uint8_t { clash, always, never };

struct MergeConfig {
  PrefixPolicy prefix = PrefixPolicy::clash;
  std::string separator = "__";
  std::size_t budget = 64;  ///< Letters that a name may have.

  bool operator==(const MergeConfig&) const = default;
};

/// Calls that wait until their callers come back with answers.
struct ParkingConfig {
  std::size_t places = 1024;
  Duration patience = std::chrono::minutes{10};  ///< How long each waits.

  bool operator==(const ParkingConfig&) const = default;
};

/// In the place of a file's name: the usual one.
inline constexpr std::string_view pins_on = "on";

enum class LogFormat : std::uint8_t { text, json };

/// Whether there is a line in the log for each call.
enum class CallLines : std::uint8_t { off, text, json };

struct LogConfig {
  LogLevel level = LogLevel::info;
  LogFormat format = LogFormat::text;
  CallLines calls = CallLines::off;

  bool operator==(const LogConfig&) const = default;
};

/// Where spans of calls go.
struct TraceConfig {
  std::string endpoint = {};  ///< An OTLP receiver's URL; empty for none.
  std::string service = {};   ///< As who we appear there.
  double sample = 1;          ///< The share of traces that begin here and are sent; of others their beginner decides.
  std::map<std::string, std::string> headers = {};

  bool operator==(const TraceConfig&) const = default;
};

struct GatewayConfig {
  std::vector<ServerConfig> servers = {};  ///< As the files list them.
  ListenConfig listen = {};
  ChainConfig chain = {};  ///< In front of all servers.
  MergeConfig merge = {};
  ParkingConfig parking = {};
  std::size_t spawn_concurrency = 4;
  std::string catalogue = {};  ///< A file that keeps the last good lists; empty for none.
  std::string pins = {};       ///< A file that says what was approved of servers, or `pins_on`; empty for none.
  Duration list_deadline = std::chrono::seconds{5};
  Duration question_timeout = std::chrono::minutes{5};  ///< For what a server asks a client.
  std::string metrics = "/metrics";                     ///< A path below `listen.base_path`; empty for none.
  LogConfig log = {};
  TraceConfig trace = {};
  bool server_timing = false;  ///< Answers over HTTP say how long each hop took.
  std::string control = {};    ///< The operator's socket: a path, `off`, or empty for the usual place.

  bool operator==(const GatewayConfig&) const = default;

  ServerConfig* find(std::string_view name);
  const ServerConfig* find(std::string_view name) const;
};

}  // namespace fairlead::gateway
