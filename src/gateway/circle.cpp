#include "gateway/circle.hpp"

#include <cstdlib>
#include <fairlead/auth/keyring.hpp>
#include <fmt/format.h>
#include <random>

#include "gateway/endpoint.hpp"

namespace fairlead::gateway {
namespace {

std::string told_by_parent(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string mark_of(const GatewayConfig& config) {
  std::string all;
  for (const auto& server : config.servers) {
    if (!server.disabled) all += server.name + ' ' + fingerprint(server) + '\n';
  }
  return auth::hash_of(all).substr(0, 16);
}

}  // namespace

std::string unmistakable_name() {
  std::random_device random;
  return fmt::format("fairlead-{:08x}{:08x}", random(), random());
}

std::string via_of(const std::string& us) {
  const auto others = told_by_parent(passed_by);
  return "1.1 " + us + (others.empty() ? "" : ", " + others);
}

Result<std::string> told_to_children(const GatewayConfig& config) {
  const auto before = told_by_parent(started_by);
  const auto own = mark_of(config);
  if (before.find(own) == std::string::npos) return before.empty() ? own : before + ',' + own;
  return fail(ErrorKind::invalid,
              "this gateway was started by one with the same servers, so that each would start another without end: "
              "take the gateway out of its own configuration");
}

}  // namespace fairlead::gateway
