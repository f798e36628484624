#include "cli/log_options.hpp"

#include <fmt/format.h>
#include <optional>

#include "gateway/config/load.hpp"
#include "gateway/config/tree.hpp"

namespace fairlead::cli {
namespace {

using gateway::Node;

std::optional<std::string> scalar(const Node* node) {
  return node && node->kind == Node::Kind::scalar ? std::optional(node->text) : std::nullopt;
}

// `debug: true` or `debug: <file>`, at the top or under `server`; there `debug_file` may name the file as well.
std::optional<std::string> wish_of(const Node& root) {
  if (auto debug = scalar(root.find("debug"))) return debug;
  const auto* server = root.find("server");
  if (!server) return std::nullopt;
  auto debug = scalar(server->find("debug"));
  const auto file = scalar(server->find("debug_file"));
  const bool on = debug && decide_debug({.configuration = debug}).on;
  return on && file && !file->empty() ? file : debug;
}

/// What a file says about debugging, if it does.
Result<std::optional<std::string>> read_wish(const std::string& path) {
  const auto text = gateway::read_file(path);
  if (!text) return fail(ErrorKind::invalid, fmt::format("--config {}: {}", path, text.error().message));
  gateway::Problems problems;
  const auto tree = gateway::read_tree(path, *text, problems);
  if (!tree) return std::unexpected(problems.error());
  return wish_of(*tree);
}

void add_debug_option(Options& options, LogOptions& log) {
  options.toggle("--debug", log.debug, "log every step on stderr; --debug=<file> to a file as well");
}

}  // namespace

void add_log_options(Options& options, LogOptions& log, const std::string& about_config) {
  add_debug_option(options, log);
  options.text("-c,--config", log.config, about_config, "<file>");
}

void add_servers_options(Options& options, LogOptions& log) {
  add_debug_option(options, log);
  options.list("-c,--config", log.files,
               "where servers are configured; otherwise fairlead/servers.json in your configuration folder", "<file>");
}

Result<DebugDecision> decide(const LogOptions& log) {
  DebugWishes wishes{.command_line = log.debug, .environment = debug_environment()};
  auto files = log.files;
  if (!log.config.empty()) files.push_back(log.config);
  for (const auto& file : files) {
    auto wish = read_wish(file);
    if (!wish) return std::unexpected(std::move(wish.error()));
    if (*wish) wishes.configuration = *std::move(wish);
  }
  return decide_debug(wishes);
}

}  // namespace fairlead::cli
