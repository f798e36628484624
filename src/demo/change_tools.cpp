#include <atomic>
#include <memory>
#include <mutex>

#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

constexpr auto counter = "demo://counter";
constexpr auto bonus_resource = "demo://bonus";

std::string toggle_bonus(Server& server) {
  constexpr auto about = "Added by change_lists";
  if (server.remove_tool("bonus")) {
    server.remove_prompt("bonus");
    server.remove_resource(bonus_resource);
    return "Removed the tool, the prompt and the resource named bonus";
  }
  server.tool("bonus", read_only("Bonus", about), [] { return "Here until the next change"; });
  server.prompt("bonus", about, [] { return "Here until the next change"; });
  server::ResourceOptions options{.name = "bonus", .description = about};
  server.resource(bonus_resource, std::move(options), [] { return "Here until the next change"; });
  return "Added a tool, a prompt and a resource named bonus";
}

}  // namespace

void add_change_tools(Server& server) {
  const auto count = std::make_shared<std::atomic<int>>(0);
  server::ResourceOptions options{.name = "counter", .description = "Changes when the tool count is called"};
  options.title = "A counter";
  options.mime_type = "text/plain";
  server.resource(counter, std::move(options), [count] { return std::to_string(count->load()); });
  server.tool("count", changing("Count", "Increments demo://counter and notifies its subscribers"), [&server, count] {
    const int now = ++*count;
    server.resource_updated(counter);
    return "demo://counter is now " + std::to_string(now);
  });
  const auto one_at_a_time = std::make_shared<std::mutex>();
  server.tool("change_lists",
              changing("Change lists", "Adds a tool, a prompt and a resource named bonus, or removes them again"),
              [&server, one_at_a_time] {
                const std::lock_guard lock(*one_at_a_time);
                return toggle_bonus(server);
              });
}

}  // namespace fairlead::demo
