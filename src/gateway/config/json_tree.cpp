#include <algorithm>
#include <fairlead/json/reader.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/config/comments.hpp"
#include "gateway/config/tree.hpp"

namespace fairlead::gateway {
namespace {

/// Turns a valid JSON text into nodes.
class JsonTree {
 public:
  JsonTree(const std::string& file, std::string_view text, Problems& problems)
      : file_(file), text_(text), problems_(problems) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') line_starts_.push_back(at + 1);
    }
  }

  Node root() {
    json::Reader reader(text_);
    return value(reader);
  }

  bool too_many() const { return nodes_ > most_nodes; }

  /// Sets line and column; `at` is an offset into the text.
  void place(Node& node, std::size_t at) const {
    const auto after = std::ranges::upper_bound(line_starts_, at);
    node.line = static_cast<std::size_t>(after - line_starts_.begin());
    node.column = at - line_starts_[node.line - 1] + 1;
  }

 private:
  Node value(json::Reader& reader) {
    const auto whole = json::Reader(reader).skip();
    Node node;
    node.span = {.begin = static_cast<std::size_t>(whole.data() - text_.data()), .size = whole.size()};
    place(node, node.span.begin);
    if (++nodes_ > most_nodes) {
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
      place(member, name);
      add_member(file_, node, std::move(member), problems_);
    }
  }

  const std::string& file_;
  std::string_view text_;
  Problems& problems_;
  std::vector<std::size_t> line_starts_{0};
  std::size_t nodes_ = 0;
};

// The scanner does not say where a string is broken: where it holds a line break or the like, or never ends.
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

void report(const std::string& file, std::string_view text, const json::ScanError& wrong, Problems& problems) {
  const bool in_string = wrong.fault == json::ScanFault::syntax && wrong.offset == 0;
  const auto at = std::min(in_string ? broken_string(text) : wrong.offset, text.size());
  const auto line = static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n')) + 1;
  const bool syntax = wrong.fault == json::ScanFault::syntax;
  problems.add({.file = file, .line = line}, "",
               syntax ? fmt::format("is no JSON here: expected {}", wrong.expected)
                      : fmt::format("is no JSON that can be read: {}", wrong.message()));
}

}  // namespace

std::optional<Node> read_json_tree(const std::string& file, std::string_view text, Problems& problems) {
  const auto plain = without_comments(std::string(text));
  const auto wrong = json::scan(plain, {.max_depth = deepest_file});
  if (wrong) {
    report(file, plain, wrong, problems);
    return std::nullopt;
  }
  JsonTree tree(file, plain, problems);
  auto root = tree.root();
  if (!tree.too_many()) return root;
  problems.add({.file = file}, "", fmt::format("holds more than {} values; is this the right file?", most_nodes));
  return std::nullopt;
}

}  // namespace fairlead::gateway
