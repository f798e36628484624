#include "gateway/config/show_config.hpp"

#include "gateway/config/fields.hpp"

namespace fairlead::gateway {
namespace {

void show_server(ConfigPrinter& showing, const ServerConfig& server) {
  const auto kind = server.url.empty() ? AppliesTo::command : AppliesTo::url;
  showing.enter(server.name);
  for (const auto& field : fields<ServerConfig>()) {
    if (field.servers == AppliesTo::all || field.servers == kind) field.show(showing, field.name, server);
  }
  showing.leave();
}

}  // namespace

std::string show_config(const LoadedConfig& loaded, bool defaults) {
  const SecretMask mask;
  ConfigPrinter showing(loaded.sources, mask, defaults);
  if (!loaded.config.servers.empty()) {
    showing.enter("servers");
    for (const auto& server : loaded.config.servers) show_server(showing, server);
    showing.leave();
  }
  show_fields(showing, loaded.config);
  return showing.text();
}

}  // namespace fairlead::gateway
