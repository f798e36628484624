#include "cli/log_options.hpp"

#include <fmt/format.h>

#include "base/read_file.hpp"
#include "config/tree.hpp"

namespace fairlead::cli {
namespace {

using config::Node;

std::optional<std::string> scalar(const Node* node) {
  return node && node->kind == Node::Kind::scalar ? std::optional(node->text) : std::nullopt;
}

// `debug: true` or `debug: <file>` at the top level or under `server`, where `debug_file` may also give the file.
std::optional<std::string> debug_setting_of(const Node& root) {
  if (auto debug = scalar(root.find("debug"))) return debug;
  const auto* server = root.find("server");
  if (!server) return std::nullopt;
  auto debug = scalar(server->find("debug"));
  const auto file = scalar(server->find("debug_file"));
  const bool on = debug && decide_debug({.configuration = debug}).on;
  return on && file && !file->empty() ? file : debug;
}

/// The debug setting of a configuration file, if it has one.
Result<std::optional<std::string>> read_debug_setting(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return fail(ErrorKind::invalid, fmt::format("--config {}: {}", path, text.error().message));
  config::Diagnostics problems;
  const auto tree = config::read_tree(path, *text, problems);
  if (!tree) return std::unexpected(problems.error());
  return debug_setting_of(*tree);
}

void add_debug_option(Options& options, LogOptions& log) {
  options.optional_value("--debug", log.debug, "log every step to stderr; --debug=<file> also to a file");
}

}  // namespace

void add_log_options(Options& options, LogOptions& log, const std::string& about_config) {
  add_debug_option(options, log);
  options.text("-c,--config", log.config, about_config, "<file>");
}

void add_config_options(Options& options, LogOptions& log) {
  add_debug_option(options, log);
  options.repeatable("-c,--config", log.files,
                     "a file with servers (default: fairlead/servers.json in your configuration directory)", "<file>");
}

Result<DebugDecision> resolve_debug(const LogOptions& log) {
  DebugSettings wishes{.command_line = log.debug, .environment = debug_environment()};
  auto files = log.files;
  if (!log.config.empty()) files.push_back(log.config);
  for (const auto& file : files) {
    auto wish = read_debug_setting(file);
    if (!wish) return std::unexpected(std::move(wish.error()));
    if (*wish) wishes.configuration = *std::move(wish);
  }
  return decide_debug(wishes);
}

}  // namespace fairlead::cli
