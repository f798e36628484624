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
      .description("Uses every feature of an MCP server")
      .icons({std::move(picture)})
      .instructions("A server for testing clients. Nothing here has an effect outside this process.");
  // The conformance suite calls the first tool without arguments.
  add_content_tools(*server);
  add_load_tools(*server);
  add_schema_tools(*server);
  add_notification_tools(*server);
  add_elicitation_tools(*server);
  add_input_round_tools(*server);
  add_job_tools(*server);
  add_resources(*server);
  add_prompts(*server);
  add_change_tools(*server);
  return server;
}

}  // namespace fairlead::demo
