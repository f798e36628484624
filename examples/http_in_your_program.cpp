// A server over HTTP in a program with its own `main`: start it, do other work, stop it.
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <fairlead/server/http.hpp>
#include <iostream>

int main() {
  fairlead::Server app{"adder", "1.0"};
  app.tool("add", "Add two integers", [](fairlead::Arg<"a", int> a, fairlead::Arg<"b", int> b) { return a + b; });

  // Serves on its own threads. Port 0 selects a free port.
  fairlead::StderrSink log;
  fairlead::server::HttpOptions options;
  options.listen.port = 0;
  options.workers = 2;
  fairlead::server::HttpServer server(app, log, options);
  if (auto started = server.start(); !started) {
    std::cerr << started.error().message << '\n';
    return 1;
  }
  std::cout << "listening on " << server.url() << "/mcp\n";

  // Your program does its work here. This one acts as the client.
  auto client = fairlead::connect(server.url() + "/mcp");
  const int sum = client.call<int>("add", {{"a", 1}, {"b", 2}});
  std::cout << sum << '\n';

  // Waits for pending calls, at most `options.drain_timeout` (5 seconds by default).
  server.stop();
  return sum == 3 ? 0 : 1;
}
