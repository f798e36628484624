// A server over HTTP from a program with a `main` of its own: start it, do other things, stop it.
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <fairlead/server/http.hpp>
#include <iostream>

int main() {
  fairlead::Server app{"adder", "1.0"};
  app.tool("add", "Add two integers", [](fairlead::Arg<"a", int> a, fairlead::Arg<"b", int> b) { return a + b; });

  // Serves on threads of its own. Port 0 takes any free one; yours is probably fixed.
  fairlead::StderrSink log;
  fairlead::server::HttpOptions options;
  options.listen.port = 0;
  options.workers = 2;
  fairlead::server::HttpServing serving(app, log, options);
  if (auto started = serving.start(); !started) {
    std::cerr << started.error().message << '\n';
    return 1;
  }
  std::cout << "listening on " << serving.url() << "/mcp\n";

  // Here your program does what it is for. This one plays the client.
  auto client = fairlead::connect(serving.url() + "/mcp");
  const int sum = client.call<int>("add", {{"a", 1}, {"b", 2}});
  std::cout << sum << '\n';

  // Lets calls that are under way end, for at most `options.drain`, 5 seconds by default.
  serving.stop();
  return sum == 3 ? 0 : 1;
}
