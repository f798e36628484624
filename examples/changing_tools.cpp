// Tools that come and go while clients are there, and that not everybody may see.
#include <fairlead/server.hpp>
#include <iostream>
#include <set>

using fairlead::Engine;

std::string ask(Engine& client, const std::string& method) {
  client.feed(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{"capabilities":{}}})" + "\n");
  return client.take();
}

bool lists(Engine& client, const std::string& tool) {
  return ask(client, "tools/list").find("\"name\":\"" + tool + "\"") != std::string::npos;
}

std::string hear(Engine& client) {
  client.poll();
  const auto bytes = client.take();
  std::cout << bytes;
  return bytes;
}

int main() {
  std::set<std::string, std::less<>> admins;
  fairlead::Server app{"office", "1.0"};
  app.tool("greet", "Says hello", [] { return "hello"; });
  app.tool("shutdown", "Closes the office", [] { return "closed"; });
  // What is hidden from somebody does not exist for them: it is not listed, not called, and nobody tells them of it.
  app.visible([&](fairlead::Kind, std::string_view name, std::string_view who) {
    return name != "shutdown" || admins.contains(who);
  });

  Engine ann(app, {.principal = "ann"}), bob(app, {.principal = "bob"});
  ask(ann, "initialize"), ask(bob, "initialize");
  if (lists(ann, "shutdown")) return 1;

  admins.insert("ann");
  app.visibility_changed();
  if (hear(ann).find("notifications/tools/list_changed") == std::string::npos) return 1;
  if (!lists(ann, "shutdown") || lists(bob, "shutdown")) return 1;
  hear(bob);

  app.remove_tool("shutdown");  // From any thread; calls under way go on with what they found.
  if (hear(ann).empty() || !hear(bob).empty()) return 1;
  app.tool("lunch", "What there is", [] { return "soup"; });
  return !hear(bob).empty() && lists(bob, "lunch") ? 0 : 1;
}
