#include <algorithm>
#include <cstdlib>
#include <utility>

#include "gateway/pin/pins.hpp"

/// Location of the pin file, and insertion of the `pin` step.
namespace fairlead::gateway {
namespace {

constexpr std::string_view pin_step = "pin";

std::string absolute_variable(const char* name) {
  const char* value = std::getenv(name);
  return value && value[0] == '/' ? value : "";
}

const MiddlewareConfig* pin_step_of(const ChainConfig& chain) {
  const auto found = std::ranges::find(chain, pin_step, &MiddlewareConfig::name);
  return found == chain.end() ? nullptr : &*found;
}

const MiddlewareConfig* pin_step_before(const GatewayConfig& config, const ServerConfig& server) {
  const auto* own = pin_step_of(server.chain);
  return own ? own : pin_step_of(config.chain);
}

}  // namespace

std::string default_pins_file() {
  auto folder = absolute_variable("XDG_STATE_HOME");
  if (folder.empty()) {
    const auto home = absolute_variable("HOME");
    if (home.empty()) return "";
    folder = home + "/.local/state";
  }
  return folder + "/fairlead/pins.json";
}

std::string pins_file(const GatewayConfig& config, const ServerConfig& server) {
  if (const auto* step = pin_step_before(config, server)) {
    for (const auto& [name, value] : step->arguments) {
      if (name == "file" || name.empty()) return value;
    }
  }
  return config.pins.empty() || config.pins == pins_on ? default_pins_file() : config.pins;
}

GatewayConfig with_pins(GatewayConfig config) {
  if (config.pins.empty()) return config;
  for (auto& server : config.servers) {
    if (pin_step_before(config, server)) continue;
    MiddlewareConfig step{.name = std::string(pin_step), .at = {"pins"}};
    // Without a file the step reports the error.
    if (auto file = pins_file(config, server); !file.empty()) step.arguments.emplace_back("file", std::move(file));
    server.chain.push_back(std::move(step));
  }
  return config;
}

}  // namespace fairlead::gateway
