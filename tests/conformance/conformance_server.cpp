#include <fairlead/server.hpp>
#include <fairlead/skills.hpp>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "demo/demo.hpp"
#include "task_fixtures.hpp"

/// The server for the official conformance suite: the demo server, the skills of this directory and tools for the
/// scenarios about tasks, with the options of `Server::run` and `--skills`, which names another folder of skills.
int main(int argc, char** argv) {
  std::vector<std::string> options{argv[0]};
  std::string skills = FAIRLEAD_SOURCE_DIR "/tests/conformance/skills";
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--skills" && i + 1 < argc) {
      skills = argv[++i];
    } else if (std::string_view(argv[i]) != "--port") {
      options.emplace_back(argv[i]);
    } else if (++i < argc) {
      options.insert(options.end(), {"--http", "127.0.0.1:" + std::string(argv[i])});
    } else {
      std::cerr << "conformance-server: --port needs a number\n";
      return 2;
    }
  }
  std::vector<char*> words;
  for (auto& option : options) words.push_back(option.data());
  words.push_back(nullptr);
  const auto server = fairlead::demo::make_demo("1.0");
  fairlead::serve_skills(*server, skills);
  add_task_fixtures(*server);
  return server->run(static_cast<int>(options.size()), words.data());
}
