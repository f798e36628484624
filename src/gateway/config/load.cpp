#include "gateway/config/load.hpp"

#include <fmt/format.h>
#include <utility>

#include "base/read_file.hpp"
#include "config/shell_words.hpp"
#include "config/tree.hpp"
#include "gateway/config/chain_syntax.hpp"
#include "gateway/config/retired_keys.hpp"
#include "gateway/config/root_reader.hpp"
#include "gateway/config/validate.hpp"
#include "gateway/config/validate_files.hpp"

namespace fairlead::gateway {
namespace {

constexpr config::KeyRules key_rules{.retired = [](std::string_view scope, std::string_view key) {
  const auto now = renamed_key(scope, key);
  return now ? std::optional(fmt::format("was renamed to {}", *now)) : std::nullopt;
}};

Result<LoadedConfig> finish(LoadedConfig loaded, config::Diagnostics& diagnostics) {
  validate(loaded.config, loaded.sources, diagnostics);
  if (!diagnostics.empty()) return std::unexpected(diagnostics.error());
  loaded.warnings = diagnostics.warnings();
  return loaded;
}

LoadedConfig read_documents(std::span<const config::Document> documents, const config::ReadOptions& options,
                            config::Diagnostics& diagnostics) {
  LoadedConfig loaded;
  for (const auto& document : documents) {
    const auto tree = config::read_tree(document.name, document.text, diagnostics);
    if (!tree) diagnostics.mark_invalid("");
    if (!tree) continue;
    config::ReadContext context(document.name, options, diagnostics, loaded.sources, key_rules);
    read_root(context, *tree, loaded.config);
  }
  return loaded;
}

LoadedConfig read_files(std::span<const std::string> paths, const config::Environment& environment,
                        config::Diagnostics& diagnostics) {
  std::vector<config::Document> documents;
  for (const auto& path : paths) {
    auto text = read_file(path);
    if (text) {
      documents.push_back({path, *std::move(text)});
    } else {
      diagnostics.add({.file = path}, "", text.error().message);
      diagnostics.mark_invalid("");
    }
  }
  return read_documents(documents, {.environment = environment, .read_file = read_file}, diagnostics);
}

std::vector<config::Node> nodes_of(const std::vector<config::Token>& pieces) {
  std::vector<config::Node> nodes;
  for (const auto& piece : pieces) {
    config::Node node{.kind = config::Node::Kind::scalar, .text = piece.text};
    node.column = piece.at + 1;
    nodes.push_back(std::move(node));
  }
  return nodes;
}

void read_line(config::ReadContext& context, std::string_view line, GatewayConfig& into) {
  config::Node whole{.kind = config::Node::Kind::scalar, .text = std::string(line)};
  const auto pieces = config::split(line, '|');
  if (!pieces) {
    whole.column = pieces.error().at + 1;
    return context.error({whole, "chain", "chain"}, pieces.error().message);
  }
  whole.children = nodes_of(*pieces);
  read_pipe_steps(context, {whole, "chain", "chain"}, into);
}

}  // namespace

Result<LoadedConfig> read_config(std::span<const config::Document> documents, const config::ReadOptions& options) {
  config::Diagnostics diagnostics;
  auto loaded = read_documents(documents, options, diagnostics);
  return finish(std::move(loaded), diagnostics);
}

Result<LoadedConfig> load_config(std::span<const std::string> paths, const config::Environment& environment) {
  config::Diagnostics diagnostics;
  auto loaded = read_files(paths, environment, diagnostics);
  return finish(std::move(loaded), diagnostics);
}

ConfigReport check_config_files(std::span<const std::string> paths, const config::Environment& environment) {
  ConfigReport examined;
  config::Diagnostics diagnostics;
  auto& loaded = examined.loaded;
  loaded = read_files(paths, environment, diagnostics);
  validate(loaded.config, loaded.sources, diagnostics);
  validate_files(loaded.config, loaded.sources, diagnostics);
  for (const auto& server : loaded.config.servers) {
    if (diagnostics.is_invalid(config::below("servers", server.name))) examined.invalid_servers.push_back(server.name);
  }
  loaded.warnings = diagnostics.warnings();
  examined.problems = diagnostics.lines();
  return examined;
}

Result<LoadedConfig> read_pipe(std::string_view line, const config::ReadOptions& options) {
  LoadedConfig loaded;
  config::Diagnostics diagnostics;
  config::ReadContext context("", options, diagnostics, loaded.sources, key_rules);
  read_line(context, line, loaded.config);
  return finish(std::move(loaded), diagnostics);
}

bool is_pipe(std::string_view word) {
  return word.find(" | ") != std::string_view::npos;
}

Result<void> validate_config(const LoadedConfig& loaded) {
  config::Diagnostics diagnostics;
  validate(loaded.config, loaded.sources, diagnostics);
  if (diagnostics.empty()) return {};
  return std::unexpected(diagnostics.error());
}

}  // namespace fairlead::gateway
