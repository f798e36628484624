// The smallest server: one tool, over stdin and stdout.
#include <fairlead/server.hpp>

int main(int argc, char** argv) {
  fairlead::Server app{"demo", "1.0"};
  app.tool("add", "Add two integers", [](fairlead::Arg<"a", int> a, fairlead::Arg<"b", int> b) { return a + b; });
  return app.run(argc, argv);
}
