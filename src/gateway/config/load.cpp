#include "gateway/config/load.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <utility>

#include "gateway/config/check.hpp"
#include "gateway/config/root_reader.hpp"
#include "gateway/config/stage.hpp"
#include "gateway/config/tree.hpp"
#include "gateway/config/words.hpp"

namespace fairlead::gateway {
namespace {

Result<Loaded> finish(Loaded loaded, Problems& problems) {
  // What contradicts itself may only do so because something could not be read.
  if (problems.empty()) check(loaded.config, loaded.sources, problems);
  if (!problems.empty()) return std::unexpected(problems.error());
  loaded.warnings = problems.warnings();
  return loaded;
}

std::vector<Node> nodes_of(const std::vector<Piece>& pieces) {
  std::vector<Node> nodes;
  for (const auto& piece : pieces) {
    Node node{.kind = Node::Kind::scalar, .text = piece.text};
    node.column = piece.at + 1;
    nodes.push_back(std::move(node));
  }
  return nodes;
}

void read_line(Reading& reading, std::string_view line, GatewayConfig& into) {
  Node whole{.kind = Node::Kind::scalar, .text = std::string(line)};
  const auto pieces = split(line, '|');
  if (!pieces) {
    whole.column = pieces.error().at + 1;
    return reading.wrong({whole, "chain", "chain"}, pieces.error().message);
  }
  whole.children = nodes_of(*pieces);
  read_whole_line(reading, {whole, "chain", "chain"}, into);
}

}  // namespace

Result<Loaded> read_config(std::span<const Document> documents, const ReadOptions& options) {
  Loaded loaded;
  Problems problems;
  for (const auto& document : documents) {
    const auto tree = read_tree(document.name, document.text, problems);
    if (!tree) continue;
    Reading reading(document.name, options, problems, loaded.sources);
    read_root(reading, *tree, loaded.config);
  }
  return finish(std::move(loaded), problems);
}

Result<Loaded> load_config(std::span<const std::string> paths, const Environment& environment) {
  std::vector<Document> documents;
  Problems problems;
  for (const auto& path : paths) {
    auto text = read_file(path);
    if (!text) problems.add({.file = path}, "", text.error().message);
    documents.push_back({path, text ? *std::move(text) : ""});
  }
  if (!problems.empty()) return std::unexpected(problems.error());
  return read_config(documents, {.environment = environment, .read_file = read_file});
}

Result<Loaded> read_pipe(std::string_view line, const ReadOptions& options) {
  Loaded loaded;
  Problems problems;
  Reading reading("", options, problems, loaded.sources);
  read_line(reading, line, loaded.config);
  return finish(std::move(loaded), problems);
}

bool is_pipe(std::string_view word) {
  return word.find(" | ") != std::string_view::npos;
}

Result<void> check_config(const Loaded& loaded) {
  Problems problems;
  check(loaded.config, loaded.sources, problems);
  if (problems.empty()) return {};
  return std::unexpected(problems.error());
}

Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) {
    const int number = errno;
    return fail(ErrorKind::invalid, fmt::format("cannot be read: {}", std::strerror(number ? number : EIO)));
  }
  return std::move(text).str();
}

}  // namespace fairlead::gateway
