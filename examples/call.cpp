// The smallest client: starts a server and calls its tool.
#include <fairlead/client.hpp>
#include <filesystem>
#include <iostream>

int main(int, char** argv) {
  auto demo = fairlead::connect({std::filesystem::path(argv[0]).replace_filename("hello").string()});
  std::cout << demo.call<int>("add", {{"a", 1}, {"b", 2}}) << '\n';
}
