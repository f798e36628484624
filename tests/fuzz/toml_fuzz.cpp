#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fairlead/base/utf8.hpp>
#include <string>

#include "config/tree.hpp"

// Each input is a TOML file. It is parsed, or an error gives the reason; the tree has unique names, is valid UTF-8, and
// stays within the limits.
namespace {

using namespace fairlead;
using namespace fairlead::config;

void require(bool holds) {
  if (!holds) std::abort();
}

std::size_t check(const Node& node, std::size_t lines, std::size_t depth) {
  require(depth <= 3 * max_depth + 3);
  require(node.line >= 1 && node.line <= lines);
  require(is_utf8(node.text) && is_utf8(node.key));
  std::size_t count = 1;
  for (const auto& child : node.children) {
    if (node.kind == Node::Kind::map) require(node.find(child.key) == &child);
    count += check(child, lines, depth + 1);
  }
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Diagnostics problems;
  const auto tree = read_tree("f.toml", text, problems);
  require(tree.has_value() == problems.empty());
  if (!tree) return 0;
  std::size_t lines = 1;
  for (const char c : text) lines += c == '\n';
  require(check(*tree, lines, 0) <= max_nodes + 1);
  return 0;
}
