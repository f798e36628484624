#include "gateway/config/load.hpp"

#include <fmt/format.h>
#include <utility>

#include "base/read_file.hpp"
#include "gateway/config/chain_syntax.hpp"
#include "gateway/config/root_reader.hpp"
#include "gateway/config/shell_words.hpp"
#include "gateway/config/tree.hpp"
#include "gateway/config/validate.hpp"
#include "gateway/config/validate_files.hpp"

namespace fairlead::gateway {
namespace {

Result<LoadedConfig> finish(LoadedConfig loaded, Diagnostics& diagnostics) {
  validate(loaded.config, loaded.sources, diagnostics);
  if (!diagnostics.empty()) return std::unexpected(diagnostics.error());
  loaded.warnings = diagnostics.warnings();
  return loaded;
}

LoadedConfig read_documents(std::span<const ConfigDocument> documents, const ReadOptions& options,
                            Diagnostics& diagnostics) {
  LoadedConfig loaded;
  for (const auto& document : documents) {
    const auto tree = read_tree(document.name, document.text, diagnostics);
    if (!tree) diagnostics.mark_invalid("");
    if (!tree) continue;
    ReadContext context(document.name, options, diagnostics, loaded.sources);
    read_root(context, *tree, loaded.config);
  }
  return loaded;
}

LoadedConfig read_files(std::span<const std::string> paths, const Environment& environment, Diagnostics& diagnostics) {
  std::vector<ConfigDocument> documents;
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

std::vector<Node> nodes_of(const std::vector<Token>& pieces) {
  std::vector<Node> nodes;
  for (const auto& piece : pieces) {
    Node node{.kind = Node::Kind::scalar, .text = piece.text};
    node.column = piece.at + 1;
    nodes.push_back(std::move(node));
  }
  return nodes;
}

void read_line(ReadContext& context, std::string_view line, GatewayConfig& into) {
  Node whole{.kind = Node::Kind::scalar, .text = std::string(line)};
  const auto pieces = split(line, '|');
  if (!pieces) {
    whole.column = pieces.error().at + 1;
    return context.error({whole, "chain", "chain"}, pieces.error().message);
  }
  whole.children = nodes_of(*pieces);
  read_pipe_steps(context, {whole, "chain", "chain"}, into);
}

}  // namespace

Result<LoadedConfig> read_config(std::span<const ConfigDocument> documents, const ReadOptions& options) {
  Diagnostics diagnostics;
  auto loaded = read_documents(documents, options, diagnostics);
  return finish(std::move(loaded), diagnostics);
}

Result<LoadedConfig> load_config(std::span<const std::string> paths, const Environment& environment) {
  Diagnostics diagnostics;
  auto loaded = read_files(paths, environment, diagnostics);
  return finish(std::move(loaded), diagnostics);
}

ConfigReport check_config_files(std::span<const std::string> paths, const Environment& environment) {
  ConfigReport examined;
  Diagnostics diagnostics;
  auto& loaded = examined.loaded;
  loaded = read_files(paths, environment, diagnostics);
  validate(loaded.config, loaded.sources, diagnostics);
  validate_files(loaded.config, loaded.sources, diagnostics);
  for (const auto& server : loaded.config.servers) {
    if (diagnostics.is_invalid(below("servers", server.name))) examined.invalid_servers.push_back(server.name);
  }
  loaded.warnings = diagnostics.warnings();
  examined.problems = diagnostics.lines();
  return examined;
}

Result<LoadedConfig> read_pipe(std::string_view line, const ReadOptions& options) {
  LoadedConfig loaded;
  Diagnostics diagnostics;
  ReadContext context("", options, diagnostics, loaded.sources);
  read_line(context, line, loaded.config);
  return finish(std::move(loaded), diagnostics);
}

bool is_pipe(std::string_view word) {
  return word.find(" | ") != std::string_view::npos;
}

Result<void> validate_config(const LoadedConfig& loaded) {
  Diagnostics diagnostics;
  validate(loaded.config, loaded.sources, diagnostics);
  if (diagnostics.empty()) return {};
  return std::unexpected(diagnostics.error());
}

}  // namespace fairlead::gateway
