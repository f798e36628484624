#include "cli/log_options.hpp"

#include <fmt/format.h>
#include <optional>
#include <yaml-cpp/yaml.h>

namespace fairlead::cli {
namespace {

std::optional<std::string> scalar(const YAML::Node& node) {
  return node && node.IsScalar() ? std::optional(node.Scalar()) : std::nullopt;
}

// `debug: true` or `debug: <file>`, at the top or under `server`; there `debug_file` may name the file as well.
std::optional<std::string> wish_of(const YAML::Node& root) {
  if (!root.IsMap()) return std::nullopt;
  if (auto debug = scalar(root["debug"])) return debug;
  const auto server = root["server"];
  if (!server || !server.IsMap()) return std::nullopt;
  auto debug = scalar(server["debug"]);
  const auto file = scalar(server["debug_file"]);
  const bool on = debug && decide_debug({.configuration = debug}).on;
  return on && file && !file->empty() && *file != "null" ? file : debug;
}

}  // namespace

void add_log_options(Options& options, LogOptions& log, const std::string& about_config) {
  options.toggle("--debug", log.debug, "log every step on stderr; --debug=<file> to a file as well");
  options.text("--config", log.config, about_config, "<file>");
}

Result<DebugDecision> decide(const LogOptions& log) {
  DebugWishes wishes{.command_line = log.debug, .environment = debug_environment()};
  if (log.config.empty()) return decide_debug(wishes);
  try {
    wishes.configuration = wish_of(YAML::LoadFile(log.config));
  } catch (const YAML::Exception& wrong) {
    return fail(ErrorKind::invalid,
                fmt::format("--config {}: {}; give a YAML file that can be read", log.config, wrong.what()));
  }
  return decide_debug(wishes);
}

}  // namespace fairlead::cli
