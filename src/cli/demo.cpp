#include "demo/demo.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/http_serve_options.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

constexpr auto demo_examples = R"(  fairlead demo
  fairlead demo --http 127.0.0.1:8080
  fairlead list tools -- fairlead demo
  fairlead list tools http://127.0.0.1:8080/mcp)";

}  // namespace

int run_demo(const Args& args) {
  Options options("demo [options]",
                  "Serves a demo server that has every MCP feature, on stdin and stdout or over HTTP.", demo_examples);
  HttpServeOptions http;
  add_http_options(options, http);
  LogOptions log;
  add_log_options(options, log);
  if (const auto done = options.parse(args.own)) return *done;
  if (!args.server_command.empty()) {
    print_stderr("fairlead demo: takes no server command after --; see fairlead demo --help");
    return exit_code::usage;
  }
  const auto decision = resolve_debug(log);
  if (!decision) {
    print_stderr("fairlead demo: " + decision.error().message);
    return exit_code::usage;
  }
  auto arguments = server_arguments("fairlead demo", *decision, http);
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  return demo::make_demo(std::string(version))->run(static_cast<int>(pointers.size()), pointers.data());
}

}  // namespace fairlead::cli
