// For any input, split anywhere, the server keeps running, answers the next valid request, and ends when the client
// disconnects.
#include <cstdlib>
#include <string>

#include "integration/sample_tools.hpp"
#include "support/bytes_server.hpp"

namespace {

using namespace fairlead;

void require(bool truth) {
  if (!truth) std::abort();
}

// A server with tools, resources and prompts, so that inputs reach all handlers.
Server& app() {
  static Server server{"demo", "1.0"};
  static const bool filled = [] {
    server.page_size(2);
    test::add_sample_tools(server);
    server.tool("add", "Adds", [](Arg<"a", int> a, Arg<"b", std::optional<int>> b) { return a + (*b).value_or(1); });
    server.resource("file:///a", "a", [] { return "text"; });
    server.resource<"file:///{name}/{n}">("family", [](Arg<"name", std::string> name, Arg<"n", int>) { return *name; });
    server.prompt("greet", "Greets", [](Arg<"who", std::string> who) { return "Hello " + *who; });
    server.complete(protocol::PromptReference{.name = "greet"}, "who",
                    [](const std::string& text) { return std::vector<std::string>{text + "a", text + "b"}; });
    return true;
  }();
  (void)filled;
  return server;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte selects how the rest is split.
  test::BytesServer server(app(), data[0] % 32);
  server.send(std::string(reinterpret_cast<const char*>(data) + 1, size - 1) + "\n");
  server.send("{\"jsonrpc\":\"2.0\",\"id\":\"the last one\",\"method\":\"ping\"}\n");
  require(server.output().find("\"id\":\"the last one\"") != std::string::npos);
  require(!server.over());
  require(server.disconnect());
  return 0;
}
