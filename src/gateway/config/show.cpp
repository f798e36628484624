#include "gateway/config/show.hpp"

#include "gateway/config/fields.hpp"

namespace fairlead::gateway {
namespace {

void show_server(Showing& showing, const ServerConfig& server) {
  const auto kind = server.url.empty() ? For::command : For::url;
  showing.enter(server.name);
  for (const auto& field : fields<ServerConfig>()) {
    if (field.servers == For::all || field.servers == kind) field.show(showing, field.name, server);
  }
  showing.leave();
}

}  // namespace

std::string show_config(const Loaded& loaded, bool defaults) {
  const Mask mask;
  Showing showing(loaded.sources, mask, defaults);
  if (!loaded.config.servers.empty()) {
    showing.enter("servers");
    for (const auto& server : loaded.config.servers) show_server(showing, server);
    showing.leave();
  }
  show_fields(showing, loaded.config);
  return showing.text();
}

}  // namespace fairlead::gateway
