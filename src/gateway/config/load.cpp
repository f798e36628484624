#include "gateway/config/load.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <utility>

#include "gateway/config/check.hpp"
#include "gateway/config/check_files.hpp"
#include "gateway/config/root_reader.hpp"
#include "gateway/config/stage.hpp"
#include "gateway/config/tree.hpp"
#include "gateway/config/words.hpp"

namespace fairlead::gateway {
namespace {

Result<Loaded> finish(Loaded loaded, Problems& problems) {
  check(loaded.config, loaded.sources, problems);
  if (!problems.empty()) return std::unexpected(problems.error());
  loaded.warnings = problems.warnings();
  return loaded;
}

Loaded read_documents(std::span<const Document> documents, const ReadOptions& options, Problems& problems) {
  Loaded loaded;
  for (const auto& document : documents) {
    const auto tree = read_tree(document.name, document.text, problems);
    if (!tree) problems.spoil("");
    if (!tree) continue;
    Reading reading(document.name, options, problems, loaded.sources);
    read_root(reading, *tree, loaded.config);
  }
  return loaded;
}

Loaded read_files(std::span<const std::string> paths, const Environment& environment, Problems& problems) {
  std::vector<Document> documents;
  for (const auto& path : paths) {
    auto text = read_file(path);
    if (text) {
      documents.push_back({path, *std::move(text)});
    } else {
      problems.add({.file = path}, "", text.error().message);
      problems.spoil("");
    }
  }
  return read_documents(documents, {.environment = environment, .read_file = read_file}, problems);
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
  Problems problems;
  auto loaded = read_documents(documents, options, problems);
  return finish(std::move(loaded), problems);
}

Result<Loaded> load_config(std::span<const std::string> paths, const Environment& environment) {
  Problems problems;
  auto loaded = read_files(paths, environment, problems);
  return finish(std::move(loaded), problems);
}

Examined examine_config(std::span<const std::string> paths, const Environment& environment) {
  Examined examined;
  Problems problems;
  auto& loaded = examined.loaded;
  loaded = read_files(paths, environment, problems);
  check(loaded.config, loaded.sources, problems);
  check_files(loaded.config, loaded.sources, problems);
  for (const auto& server : loaded.config.servers) {
    if (problems.is_spoilt(below("servers", server.name))) examined.unsound.push_back(server.name);
  }
  loaded.warnings = problems.warnings();
  examined.problems = problems.lines();
  return examined;
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
