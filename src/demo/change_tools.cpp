#include <atomic>
#include <memory>

#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

constexpr auto watched = "test://watched-resource";
constexpr auto toggled_tool = "test_passing_tool";
constexpr auto toggled_prompt = "test_passing_prompt";
constexpr auto toggled_resource = "test://passing-resource";

std::string toggle_tool(Server& server) {
  if (server.remove_tool(toggled_tool)) return "Removed the tool test_passing_tool";
  server.tool(std::string(toggled_tool), "Exists until the next change", [] { return "Still here"; });
  return "Added the tool test_passing_tool";
}

std::string toggle_prompt(Server& server) {
  if (server.remove_prompt(toggled_prompt)) return "Removed the prompt test_passing_prompt";
  server.prompt(toggled_prompt, "Exists until the next change", [] { return "Still here"; });
  return "Added the prompt test_passing_prompt";
}

std::string toggle_resource(Server& server) {
  if (server.remove_resource(toggled_resource)) return "Removed the resource test://passing-resource";
  server::ResourceOptions options{.name = "passing-resource", .description = "Exists until the next change"};
  server.resource(toggled_resource, std::move(options), [] { return "Still here"; });
  return "Added the resource test://passing-resource";
}

}  // namespace

void add_change_tools(Server& server) {
  const auto version = std::make_shared<std::atomic<int>>(1);
  server::ResourceOptions options{.name = "watched-resource",
                                  .description = "Changes when test_trigger_resource_update is called"};
  options.title = "A text that changes";
  options.mime_type = "text/plain";
  server.resource(watched, std::move(options), [version] { return "Version " + std::to_string(version->load()); });
  server.tool("test_trigger_resource_update", "Changes the watched resource", [&server, version] {
    const int now = ++*version;
    server.resource_updated(watched);
    return "test://watched-resource is now at version " + std::to_string(now);
  });
  server.tool("test_trigger_tool_change", "Adds a tool, or removes it again",
              [&server] { return toggle_tool(server); });
  server.tool("test_trigger_prompt_change", "Adds a prompt, or removes it again",
              [&server] { return toggle_prompt(server); });
  server.tool("test_trigger_resource_change", "Adds a resource, or removes it again",
              [&server] { return toggle_resource(server); });
}

}  // namespace fairlead::demo
