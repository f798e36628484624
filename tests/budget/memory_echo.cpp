// usage: memory_echo <calls> <bytes>: a client calls a server in the same process, over the memory transport.
#include <cstdlib>
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <string>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  fairlead::Server server("echo", "1.0");
  server.tool("echo", "Returns the given text",
              [](fairlead::Arg<"text", std::string, "Text to return"> text) { return std::move(text.value); });
  auto client = fairlead::client::connect(server);
  const std::string text(static_cast<std::size_t>(std::atoll(argv[2])), 'x');
  for (int left = std::atoi(argv[1]); left > 0; --left) {
    const auto result = client.call("echo", {{"text", text}});
    if (result.content.size() != 1) return 1;
  }
}
