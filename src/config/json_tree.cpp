#include <algorithm>
#include <fairlead/json/reader.hpp>
#include <fmt/format.h>
#include <utility>

#include "config/json_comments.hpp"
#include "config/tree.hpp"

namespace fairlead::config {
namespace {

/// Builds a node tree from valid JSON.
class JsonTree {
 public:
  JsonTree(const std::string& file, std::string_view text, Diagnostics& diagnostics)
      : file_(file), text_(text), diagnostics_(diagnostics) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') line_starts_.push_back(at + 1);
    }
  }

  Node root() {
    json::Reader reader(text_);
    return value(reader);
  }

  bool too_many() const { return nodes_ > max_nodes; }

  /// Sets line and column; `at` is an offset into the text.
  void set_location(Node& node, std::size_t at) const {
    const auto after = std::ranges::upper_bound(line_starts_, at);
    node.line = static_cast<std::size_t>(after - line_starts_.begin());
    node.column = at - line_starts_[node.line - 1] + 1;
  }

 private:
  Node value(json::Reader& reader) {
    const auto whole = json::Reader(reader).skip();
    Node node;
    node.span = {.begin = static_cast<std::size_t>(whole.data() - text_.data()), .size = whole.size()};
    set_location(node, node.span.begin);
    if (++nodes_ > max_nodes) {
      reader.skip();
      return node;
    }
    switch (reader.kind()) {
      case json::Kind::null: reader.null(); break;
      case json::Kind::string:
        node.kind = Node::Kind::scalar;
        reader.string(node.text);
        break;
      case json::Kind::boolean:
      case json::Kind::number:
        node.kind = Node::Kind::scalar;
        node.text = reader.skip();
        break;
      case json::Kind::array: list(reader, node); break;
      case json::Kind::object: map(reader, node); break;
    }
    return node;
  }

  void list(json::Reader& reader, Node& node) {
    node.kind = Node::Kind::list;
    for (reader.open(); reader.more();) node.children.push_back(value(reader));
  }

  void map(json::Reader& reader, Node& node) {
    node.kind = Node::Kind::map;
    auto from = node.span.begin + 1;
    for (reader.open(); reader.more();) {
      std::string key(reader.key());
      auto member = value(reader);
      member.key = std::move(key);
      // Between two values there is nothing but space, a comma and the name.
      const auto name = text_.find('"', from);
      from = member.span.begin + member.span.size;
      member.span = {.begin = name, .size = from - name};
      set_location(member, name);
      add_member(file_, node, std::move(member), diagnostics_);
    }
  }

  const std::string& file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::vector<std::size_t> line_starts_{0};
  std::size_t nodes_ = 0;
};

// The scanner does not report where a string is malformed: find the start of one that contains a control character or
// does not end.
std::size_t broken_string(std::string_view text) {
  std::size_t start = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (inside && static_cast<unsigned char>(text[at]) < ' ') return start;
    if (inside && text[at] == '\\')
      ++at;
    else if (text[at] == '"') {
      inside = !inside;
      start = at;
    }
  }
  return start;
}

void report(const std::string& file, std::string_view text, const json::ScanError& wrong, Diagnostics& diagnostics) {
  const bool in_string = wrong.code == json::ScanErrorCode::syntax && wrong.offset == 0;
  const auto at = std::min(in_string ? broken_string(text) : wrong.offset, text.size());
  const auto line = static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n')) + 1;
  const bool syntax = wrong.code == json::ScanErrorCode::syntax;
  diagnostics.add({.file = file, .line = line}, "",
                  syntax ? fmt::format("is not valid JSON here: expected {}", wrong.expected)
                         : fmt::format("cannot be read as JSON: {}", wrong.message()));
}

}  // namespace

std::optional<Node> read_json_tree(const std::string& file, std::string_view text, Diagnostics& diagnostics) {
  const auto plain = without_comments(std::string(text));
  const auto wrong = json::scan(plain, {.max_depth = max_depth});
  if (wrong) {
    report(file, plain, wrong, diagnostics);
    return std::nullopt;
  }
  JsonTree tree(file, plain, diagnostics);
  auto root = tree.root();
  if (!tree.too_many()) return root;
  diagnostics.add({.file = file}, "", fmt::format("has more than {} values; is this the right file?", max_nodes));
  return std::nullopt;
}

}  // namespace fairlead::config
