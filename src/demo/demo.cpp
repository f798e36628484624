#include "demo/demo.hpp"

#include <utility>

#include "demo/features.hpp"
#include "demo/sample_media.hpp"

namespace fairlead::demo {

std::unique_ptr<Server> make_demo(std::string version) {
  auto server = std::make_unique<Server>("fairlead-demo", std::move(version));
  protocol::Icon picture{.src = std::string(icon), .mimeType = "image/svg+xml"};
  picture.sizes = {"any"};
  server->title("Fairlead demo")
      .description("Shows each feature of an MCP server once")
      .icons({std::move(picture)})
      .instructions("A server for trying out clients. Nothing here has an effect outside this process.");
  add_load_tools(*server);
  add_data_tools(*server);
  add_notification_tools(*server);
  add_client_tools(*server);
  add_task_tools(*server);
  add_change_tools(*server);
  add_resources(*server);
  add_prompts(*server);
  add_skill(*server);
  return server;
}

}  // namespace fairlead::demo
