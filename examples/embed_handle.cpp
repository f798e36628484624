// A server as a function: a request in, a response out. For programs that already have an HTTP framework, a queue or a
// cloud function. Works with stateless revisions, in which each request is independent.
#include <fairlead/server.hpp>
#include <iostream>

std::string request(const std::string& method, const std::string& members) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + members + R"("_meta":{)" +
         R"("io.modelcontextprotocol/protocolVersion":")" + std::string(fairlead::protocol::newest().name) + R"(",)" +
         R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
}

int main() {
  fairlead::Server app{"adder", "1.0"};
  app.tool("add", "Add two integers", [](fairlead::Arg<"a", int> a, fairlead::Arg<"b", int> b) { return a + b; });
  app.tool("whoami", "Who asks", [](fairlead::Context& context) { return context.principal(); });

  // Pass the body of a POST and the authenticated user; the result is the body of the response.
  const auto sum = app.handle(request("tools/call", R"("name":"add","arguments":{"a":1,"b":2},)"));
  const auto who = app.handle(request("tools/call", R"("name":"whoami",)"), "ann");
  const auto bad = app.handle("{");
  std::cout << sum << '\n' << who << '\n' << bad << '\n';
  return sum.find(R"("text":"3")") != std::string::npos && who.find(R"("text":"ann")") != std::string::npos ? 0 : 1;
}
