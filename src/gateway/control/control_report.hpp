#pragma once

#include <cstdint>
#include <fairlead/base/diagnosis.hpp>

namespace fairlead::gateway {

// NOLINTBEGIN(readability-identifier-naming): members are spelled as in JSON.
/// Status of one server of a running gateway.
struct ServerReport {
  std::string name = {};
  std::string state = {};  ///< idle, starting, ready, failing or gone.
  std::string transport = {};
  std::string address = {};
  std::vector<std::int64_t> pids = {};  ///< Several if each caller has its own process.
  std::optional<std::string> era = {};  ///< handshake or stateless; set once the server was reached.
  std::optional<std::string> revision = {};
  std::uint64_t restarts = 0;
  std::uint64_t inFlight = 0;
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
  std::optional<double> p50Ms = {};  ///< Set if there were calls.
  std::optional<double> p99Ms = {};
  std::optional<std::string> login = {};  ///< About the login of the operator; set by `fairlead ls`.
  std::optional<std::string> lastError = {};
  std::optional<Diagnosis> diagnosis = {};  ///< Set for failing servers.
};

/// Status of a running gateway.
struct GatewayReport {
  std::string version = {};
  std::int64_t pid = 0;
  double uptimeSeconds = 0;
  std::vector<std::string> listens = {};
  std::vector<ServerReport> servers = {};
};

/// Result of the tool `tap`.
struct TapSummary {
  std::uint64_t lines = 0;
  std::uint64_t lost = 0;
};
// NOLINTEND(readability-identifier-naming)

}  // namespace fairlead::gateway
