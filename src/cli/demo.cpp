#include "demo/demo.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

constexpr auto examples = R"(  fairlead demo
  fairlead demo --debug=demo.log
  fairlead list tools -- fairlead demo)";

/// What was decided here, as the server's own option.
std::string debug_option(const DebugDecision& decision) {
  if (!decision.on) return "--debug=off";
  return "--debug=" + (decision.file.empty() ? "on" : decision.file);
}

}  // namespace

int run_demo(const Words& words) {
  Options options("demo [options]", "Serves one of everything that MCP has, on stdin and stdout.", examples);
  LogOptions log;
  add_log_options(options, log);
  if (const auto done = options.parse(words.own)) return *done;
  if (!words.child.empty()) {
    complain("fairlead demo: it starts no other server, so nothing follows --; see fairlead demo --help");
    return exit_code::usage;
  }
  const auto decision = decide(log);
  if (!decision) {
    complain("fairlead demo: " + decision.error().message);
    return exit_code::usage;
  }
  std::string name = "fairlead demo";
  std::string debug = debug_option(*decision);
  char* arguments[] = {name.data(), debug.data()};
  return demo::make_demo(std::string(version))->run(2, arguments);
}

}  // namespace fairlead::cli
