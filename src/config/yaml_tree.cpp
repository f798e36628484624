#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <utility>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "config/tree.hpp"

namespace fairlead::config {
namespace {

// Events instead of YAML::Node: they carry line numbers, and duplicate keys are not lost.
class YamlTree final : public YAML::EventHandler {
 public:
  YamlTree(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { put(at(mark), anchor); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    auto node = at(mark);
    // Unquoted scalars have the tag "?"; a quoted empty string is text.
    const bool is_null = tag == "?" && (value.empty() || value == "~" || value == "null");
    if (!is_null || wants_key()) node.kind = Node::Kind::scalar;
    node.text = node.kind == Node::Kind::scalar ? value : "";
    put(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw YAML::ParserException(mark, "an alias inside of what it stands for");
    auto node = found->second;
    const auto here = at(mark);
    node.line = here.line;
    node.column = here.column;
    count(node, mark);
    put(std::move(node), YAML::NullAnchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, Node::Kind::list);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, Node::Kind::map);
  }
  void OnMapEnd() override {
    merge();
    close();
  }

 private:
  /// A list or map that is not complete.
  struct Open {
    Node node;
    YAML::anchor_t anchor;
    std::optional<Node> key = {};  ///< Key whose value follows.
  };

  Node at(const YAML::Mark& mark) {
    if (++nodes_ > max_nodes) throw YAML::ParserException(mark, "too many values");
    Node node;
    node.line = static_cast<std::size_t>(std::max(mark.line, 0)) + 1;
    node.column = static_cast<std::size_t>(std::max(mark.column, 0)) + 1;
    return node;
  }

  // Limits the expansion of nested aliases.
  void count(const Node& node, const YAML::Mark& mark) {
    for (const auto& child : node.children) {
      at(mark);
      count(child, mark);
    }
  }

  bool wants_key() const { return !open_.empty() && open_.back().node.kind == Node::Kind::map && !open_.back().key; }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Node::Kind kind) {
    if (wants_key()) throw YAML::ParserException(mark, "a name must be a single word, not a list or a map");
    if (open_.size() >= max_depth) throw YAML::ParserException(mark, "nested too deep");
    auto node = at(mark);
    node.kind = kind;
    open_.push_back({.node = std::move(node), .anchor = anchor});
  }

  void close() {
    auto done = std::move(open_.back());
    open_.pop_back();
    put(std::move(done.node), done.anchor);
  }

  void put(Node node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_.insert_or_assign(anchor, node);
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (wants_key()) {
      open_.back().key = std::move(node);
    } else if (open_.back().node.kind == Node::Kind::list) {
      open_.back().node.children.push_back(std::move(node));
    } else {
      const auto key = *std::exchange(open_.back().key, std::nullopt);
      node.key = key.text;
      node.line = key.line;
      node.column = key.column;
      add_member(file_, open_.back().node, std::move(node), diagnostics_);
    }
  }

  // `<<: *common` adds the keys that the map does not have.
  void merge() {
    auto& map = open_.back().node;
    const auto* found = map.find("<<");
    if (!found || (found->kind != Node::Kind::map && found->kind != Node::Kind::list)) return;
    auto common = *found;
    std::erase_if(map.children, [](const Node& child) { return child.key == "<<"; });
    if (common.kind == Node::Kind::map) return add_missing(map, common);
    for (const auto& one : common.children) add_missing(map, one);
  }

  static void add_missing(Node& map, const Node& common) {
    if (common.kind != Node::Kind::map) return;
    for (const auto& member : common.children) {
      if (!map.find(member.key)) map.children.push_back(member);
    }
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchors_;
  Node root_;
  std::size_t nodes_ = 0;
};

std::string_view line_of(std::string_view text, std::size_t number) {
  for (; number > 1; --number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

bool indents_by_tab(std::string_view line) {
  const auto first = line.find_first_not_of(' ');
  return first != std::string_view::npos && line[first] == '\t';
}

void report(const std::string& file, std::string_view text, const YAML::Exception& wrong, Diagnostics& diagnostics) {
  const auto line = static_cast<std::size_t>(std::max(wrong.mark.line, 0)) + 1;
  const auto near = line > 1 && !indents_by_tab(line_of(text, line)) ? line - 1 : line;
  if (indents_by_tab(line_of(text, near))) {
    diagnostics.add({.file = file, .line = near}, "", "begins with a tab; YAML is indented by spaces");
  } else {
    diagnostics.add({.file = file, .line = line}, "", fmt::format("is not valid YAML here: {}", wrong.msg));
  }
}

}  // namespace

std::optional<Node> read_yaml_tree(const std::string& file, const std::string& text, Diagnostics& diagnostics) {
  std::istringstream stream(text);
  YamlTree tree(file, diagnostics);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(tree);
    auto root = tree.take_root();
    YamlTree second(file, diagnostics);
    if (parser && parser.HandleNextDocument(second)) {
      const auto line = second.take_root().line;
      diagnostics.add({.file = file, .line = line}, "", "begins a second document; one file holds one configuration");
      return std::nullopt;
    }
    return root;
  } catch (const YAML::Exception& wrong) {
    report(file, text, wrong, diagnostics);
    return std::nullopt;
  }
}

}  // namespace fairlead::config
