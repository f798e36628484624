#include "gateway/config/show_config.hpp"

#include "gateway/config/fields.hpp"

namespace fairlead::gateway {
namespace {

void show_server(config::Printer& printer, const ServerConfig& server) {
  printer.enter(server.name);
  for (const auto& field : config::Fields<ServerConfig>::all) {
    if (applies_to(server, field.name)) field.show(printer, field.name, server);
  }
  printer.leave();
}

}  // namespace

std::string show_config(const LoadedConfig& loaded, bool defaults) {
  const config::SecretMask mask;
  config::Printer printer(loaded.sources, mask, defaults);
  if (!loaded.config.servers.empty()) {
    printer.enter("servers");
    for (const auto& server : loaded.config.servers) show_server(printer, server);
    printer.leave();
  }
  config::show_fields(printer, loaded.config);
  return printer.text();
}

}  // namespace fairlead::gateway
