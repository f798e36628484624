#include "gateway/known_secrets.hpp"

#include <fairlead/base/redactor.hpp>
#include <utility>

#include "gateway/config/mask.hpp"
#include "gateway/server_secrets.hpp"

namespace fairlead::gateway {
namespace {

void add_secrets_of(std::vector<std::string>& secrets, const ChainConfig& chain) {
  const Mask mask;
  for (const auto& step : chain) {
    for (const auto& [name, value] : step.arguments) {
      const auto shown = step.name == "headers" ? mask.header(name, value) : mask.value(name, value);
      if (shown == Redactor::mark) add_secrets(secrets, value);
    }
  }
}

}  // namespace

std::vector<std::string> secrets_in_logs(const GatewayConfig& config) {
  std::vector<std::string> secrets;
  add_secrets_of(secrets, config.chain);
  for (const auto& [name, value] : config.trace.headers) add_secrets(secrets, value);
  for (const auto& server : config.servers) {
    add_secrets_of(secrets, server.chain);
    for (auto& secret : secrets_of(server)) secrets.push_back(std::move(secret));
  }
  add_inherited_secrets(secrets);
  return secrets;
}

std::vector<std::string> known_secrets(const GatewayConfig& config) {
  auto secrets = secrets_in_logs(config);
  for (const auto& server : config.servers) {
    for (const auto& [name, value] : server.env) secrets.push_back(value);
  }
  return secrets;
}

}  // namespace fairlead::gateway
