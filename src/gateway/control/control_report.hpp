#pragma once

#include <cstdint>
#include <fairlead/base/diagnosis.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::gateway {

// NOLINTBEGIN(readability-identifier-naming): members are spelled as in JSON.
/// How a server of a running gateway is doing.
struct ServerReport {
  std::string name = {};
  std::string state = {};  ///< idle, starting, ready, failing or gone.
  std::string transport = {};
  std::string address = {};
  std::vector<std::int64_t> pids = {};  ///< Several if each caller has one of his own.
  std::optional<std::string> era = {};  ///< handshake or stateless; once it was reached.
  std::optional<std::string> revision = {};
  std::uint64_t restarts = 0;
  std::uint64_t inFlight = 0;
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
  std::optional<double> p50Ms = {};  ///< Where there were calls.
  std::optional<double> p99Ms = {};
  std::optional<std::string> lastError = {};
  std::optional<Diagnosis> diagnosis = {};  ///< Of a server that fails or has gone.
};

/// A running gateway, as its operator sees it.
struct GatewayReport {
  std::string version = {};
  std::int64_t pid = 0;
  double uptimeSeconds = 0;
  std::vector<std::string> listens = {};
  std::vector<ServerReport> servers = {};
};

/// What came of a tap.
struct TapSummary {
  std::uint64_t lines = 0;
  std::uint64_t lost = 0;
};
// NOLINTEND(readability-identifier-naming)

}  // namespace fairlead::gateway
