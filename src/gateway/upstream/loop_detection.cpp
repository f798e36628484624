#include "gateway/upstream/loop_detection.hpp"

#include <cstdlib>

#include "base/hex.hpp"
#include "crypto/digest.hpp"
#include "crypto/random.hpp"
#include "gateway/upstream/backend_factory.hpp"

namespace fairlead::gateway {
namespace {

std::string env_or_empty(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string config_marker(const GatewayConfig& config) {
  std::string all;
  for (const auto& server : config.servers) {
    if (!server.disabled) all += server.name + ' ' + fingerprint(server) + '\n';
  }
  return crypto::sha256_hex(all).substr(0, 16);
}

}  // namespace

std::string make_instance_id() {
  return "fairlead-" + to_hex(crypto::random_bytes(8));
}

std::string via_header(const std::string& instance_id) {
  const auto others = env_or_empty(via_env);
  return "1.1 " + instance_id + (others.empty() ? "" : ", " + others);
}

Result<std::string> child_marker(const GatewayConfig& config) {
  const auto before = env_or_empty(started_by_env);
  const auto own = config_marker(config);
  if (before.find(own) == std::string::npos) return before.empty() ? own : before + ',' + own;
  return fail(ErrorKind::invalid,
              "this gateway was started by a gateway with the same servers, and each would start another without end: "
              "remove the gateway from its own configuration");
}

}  // namespace fairlead::gateway
