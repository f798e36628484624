#include "demo/demo.hpp"

#include <utility>

#include "demo/features.hpp"
#include "demo/samples.hpp"

namespace fairlead::demo {

std::unique_ptr<Server> make_demo(std::string version) {
  auto server = std::make_unique<Server>("fairlead-demo", std::move(version));
  protocol::Icon picture{.src = std::string(icon), .mimeType = "image/svg+xml"};
  picture.sizes = {"any"};
  server->title("Fairlead demo")
      .description("One of everything that an MCP server can offer")
      .icons({std::move(picture)})
      .instructions("A server to try clients on. Nothing here has an effect outside this process.");
  // The suite calls whatever comes first, without arguments, so that must be a tool which needs none.
  add_content_tools(*server);
  add_load_tools(*server);
  add_schema_tools(*server);
  add_notice_tools(*server);
  add_question_tools(*server);
  add_round_tools(*server);
  add_jobs(*server);
  add_resources(*server);
  add_prompts(*server);
  add_changes(*server);
  return server;
}

}  // namespace fairlead::demo
