// A server inside your own event loop: you read and write the bytes over any transport; the engine needs no threads.
#include <fairlead/server.hpp>
#include <iostream>

using namespace std::chrono_literals;

int main() {
  fairlead::Server app{"robot", "1.0"};
  app.tool("grip", "Closes the hand",
           [](fairlead::Arg<"force", double> force) { return "gripped with " + std::to_string(*force) + " N"; });
  app.tool("walk", "Takes its time", fairlead::blocking([] { return "arrived"; }));

  fairlead::Engine engine(app);
  const std::string wire =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n"
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grip","arguments":{"force":2}}})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"walk"}})"
      "\n";

  std::string sent;
  for (std::size_t at = 0; at < wire.size(); at += 16) {  // Pieces of any size.
    engine.feed(wire.substr(at, 16));
    sent += engine.take_output();
  }
  engine.end_input();
  // An event loop with other work calls `poll` instead.
  while (!engine.ended()) {
    engine.wait(100ms);
    sent += engine.take_output();
  }
  std::cout << sent;
  return sent.find("gripped with 2") != std::string::npos && sent.find("arrived") != std::string::npos ? 0 : 1;
}
