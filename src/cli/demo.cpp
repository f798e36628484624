#include "demo/demo.hpp"

#include "cli/commands.hpp"
#include "cli/http_serve_options.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

constexpr auto demo_examples = R"(  fairlead demo
  fairlead demo --http 127.0.0.1:8080
  fairlead list -- fairlead demo
  fairlead call weather city=Rome -- fairlead demo
  fairlead call ask_user -- fairlead demo
  fairlead call work seconds=5 -- fairlead demo
  fairlead skills list -- fairlead demo
  fairlead list tools http://127.0.0.1:8080/mcp)";

struct DemoOptions {
  HttpServeOptions http = {};
  LogOptions log = {};
};

int run_demo(DemoOptions flags) {
  const auto decision = resolve_debug(flags.log);
  if (!decision) return report_error("demo", decision.error().message, exit_code::usage);
  auto arguments = server_arguments("fairlead demo", *decision, flags.http);
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  return demo::make_demo(std::string(version))->run(static_cast<int>(pointers.size()), pointers.data());
}

}  // namespace

RunCommand declare_demo(Options& options) {
  auto flags = std::make_shared<DemoOptions>();
  options.describe("demo [options]",
                   "Serves a demo server that shows each MCP feature once, on stdin and stdout or over HTTP.",
                   demo_examples);
  add_http_options(options, flags->http);
  add_log_options(options, flags->log);
  options.no_server_command();
  return [flags] { return run_demo(*flags); };
}

}  // namespace fairlead::cli
