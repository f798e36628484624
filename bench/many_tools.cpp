// usage: many_tools <count> [--http <host:port>]: an echo server with `count` tools.
#include <cstdlib>
#include <fairlead/server.hpp>
#include <string>

int main(int argc, char** argv) {
  fairlead::Server server("many", "1.0");
  using Text = fairlead::Arg<"text", std::string, "Text to return">;
  const auto echo = [](Text text) { return std::move(text.value); };
  server.tool("echo", "Returns the given text", echo);
  const int count = argc > 1 ? std::atoi(argv[1]) : 1;
  for (int i = 1; i < count; ++i)
    server.tool("tool_" + std::to_string(i), "Returns the given text, like all tools here", echo);
  return server.run(argc - 1, argv + 1);
}
