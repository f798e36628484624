// Adds and removes tools while clients are connected, and hides tools from some users.
#include <fairlead/server.hpp>
#include <iostream>
#include <set>

using fairlead::Engine;

std::string ask(Engine& client, const std::string& method) {
  client.feed(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{"capabilities":{}}})" + "\n");
  return client.take_output();
}

bool lists(Engine& client, const std::string& tool) {
  return ask(client, "tools/list").find("\"name\":\"" + tool + "\"") != std::string::npos;
}

std::string notifications(Engine& client) {
  client.poll();
  const auto bytes = client.take_output();
  std::cout << bytes;
  return bytes;
}

int main() {
  std::set<std::string, std::less<>> admins;
  fairlead::Server app{"office", "1.0"};
  app.tool("greet", "Says hello", [] { return "hello"; });
  app.tool("shutdown", "Closes the office", [] { return "closed"; });
  // A hidden tool is not listed, cannot be called, and its changes are not notified.
  app.visible([&](fairlead::EntryKind, std::string_view name, std::string_view who) {
    return name != "shutdown" || admins.contains(who);
  });

  Engine ann(app, {.principal = "ann"}), bob(app, {.principal = "bob"});
  ask(ann, "initialize"), ask(bob, "initialize");
  if (lists(ann, "shutdown")) return 1;

  admins.insert("ann");
  app.visibility_changed();
  if (notifications(ann).find("notifications/tools/list_changed") == std::string::npos) return 1;
  if (!lists(ann, "shutdown") || lists(bob, "shutdown")) return 1;
  notifications(bob);

  app.remove_tool("shutdown");  // Thread-safe; pending calls still finish.
  if (notifications(ann).empty() || !notifications(bob).empty()) return 1;
  app.tool("lunch", "What there is", [] { return "soup"; });
  return !notifications(bob).empty() && lists(bob, "lunch") ? 0 : 1;
}
