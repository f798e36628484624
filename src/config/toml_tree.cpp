#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "config/toml_scanner.hpp"
#include "config/tree.hpp"

namespace fairlead::config {
namespace {

/// A TOML value. `made` decides what may still be added to it.
struct TomlItem {
  enum class Made : std::uint8_t {
    value,     ///< A scalar, a list or an inline table: complete.
    implied,   ///< A table named only by the header of a nested table.
    header,    ///< A table with a header of its own.
    dotted,    ///< A table made by a dotted key.
    repeated,  ///< A list of tables with `[[headers]]`.
  };
  using Member = std::pair<std::string, std::unique_ptr<TomlItem>>;

  Made made = Made::value;
  Node::Kind kind = Node::Kind::map;
  std::string text = {};
  std::size_t line = 1;
  std::vector<Member> members = {};

  TomlItem* find(std::string_view name) const {
    const auto found = std::ranges::find(members, name, &Member::first);
    return found == members.end() ? nullptr : found->second.get();
  }
  TomlItem& add(std::string name, Made how, std::size_t at) {
    auto& made_now = members.emplace_back(std::move(name), std::make_unique<TomlItem>()).second;
    made_now->made = how;
    made_now->line = at;
    return *made_now;
  }
  Node to_node(std::string key) const {
    Node node{.kind = kind, .text = text, .key = std::move(key)};
    node.line = line;
    for (const auto& [name, item] : members) node.children.push_back(item->to_node(name));
    return node;
  }
};

class TomlTree {
 public:
  explicit TomlTree(std::string_view text) : in_(text) {}

  std::optional<Node> read() {
    auto* table = &root_;
    while (in_.skip_lines() && !in_.at_end()) {
      const bool good = in_.peek() == '[' ? read_header(table) : read_pair(*table, 0) && in_.end_line();
      if (!good) break;
    }
    if (!in_.error().empty()) return std::nullopt;
    return root_.to_node("");
  }

  const TomlScanner& scanner() const { return in_; }

 private:
  using Made = TomlItem::Made;

  bool twice(std::string_view name, const TomlItem& first) {
    return in_.fail(fmt::format("a new name: {} is already defined in line {}", value_in_quotes(name), first.line));
  }

  // `[a.b]`, or `[[a.b]]` for the next element of a list.
  bool read_header(TomlItem*& table) {
    const bool repeated = in_.take("[[");
    if (!repeated) in_.take("[");
    std::vector<std::string> path;
    if (!in_.read_key(path) || !(in_.take(repeated ? "]]" : "]") || in_.fail("a closing bracket"))) return false;
    if (path.size() > max_depth) return in_.fail("fewer tables inside each other");
    auto* at = &root_;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      at = enter(*at, path[i]);
      if (!at) return false;
    }
    table = repeated ? one_more(*at, path.back()) : open(*at, path.back());
    return table && in_.end_line();
  }

  TomlItem* enter(TomlItem& in, const std::string& name) {
    auto* found = in.find(name);
    if (!found) return new_table(in, name, Made::implied);
    if (found->made == Made::repeated) return found->members.back().second.get();
    if (found->made != Made::value) return found;
    twice(name, *found);
    return nullptr;
  }

  TomlItem* open(TomlItem& in, const std::string& name) {
    auto* found = in.find(name);
    if (!found) return new_table(in, name, Made::header);
    if (found->made == Made::implied) {
      found->made = Made::header;
      return found;
    }
    twice(name, *found);
    return nullptr;
  }

  TomlItem* one_more(TomlItem& in, const std::string& name) {
    auto* list = in.find(name);
    if (list && list->made != Made::repeated) {
      twice(name, *list);
      return nullptr;
    }
    if (!list) {
      list = new_table(in, name, Made::repeated);
      if (!list) return nullptr;
      list->kind = Node::Kind::list;
    }
    return new_table(*list, "", Made::header);
  }

  TomlItem* new_table(TomlItem& in, std::string name, Made how) {
    if (!count()) return nullptr;
    return &in.add(std::move(name), how, in_.line());
  }

  bool count() { return ++items_ <= max_nodes || in_.fail(fmt::format("at most {} values", max_nodes)); }

  // `a.b = value`
  bool read_pair(TomlItem& table, std::size_t depth) {
    std::vector<std::string> path;
    if (!in_.read_key(path)) return false;
    if (!in_.take("=")) return in_.fail("= after a key");
    if (depth + path.size() > max_depth) return in_.fail("fewer tables inside each other");
    auto* at = &table;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      auto* found = at->find(path[i]);
      if (found && found->made != Made::dotted) return twice(path[i], *found);
      at = found ? found : new_table(*at, path[i], Made::dotted);
      if (!at) return false;
    }
    if (const auto* known = at->find(path.back())) return twice(path.back(), *known);
    if (!count()) return false;
    auto& value = at->add(path.back(), Made::value, in_.line());
    in_.skip_space();
    return read_value(value, depth + path.size());
  }

  bool read_value(TomlItem& value, std::size_t depth) {
    if (depth > max_depth) return in_.fail("fewer lists and tables inside each other");
    switch (in_.peek()) {
      case '[': return read_list(value, depth);
      case '{': return read_inline_table(value, depth);
      case '"':
      case '\'': value.kind = Node::Kind::scalar; return in_.read_string(value.text);
      default: value.kind = Node::Kind::scalar; return in_.read_plain(value.text);
    }
  }

  bool read_list(TomlItem& list, std::size_t depth) {
    list.kind = Node::Kind::list;
    in_.take("[");
    while (in_.skip_lines() && !in_.take("]")) {
      if (!count() || !read_value(list.add("", Made::value, in_.line()), depth + 1) || !in_.skip_lines()) return false;
      if (!in_.take(",") && in_.peek() != ']') return in_.fail("a comma or ] in a list");
    }
    return in_.error().empty();
  }

  bool read_inline_table(TomlItem& table, std::size_t depth) {
    in_.take("{");
    in_.skip_space();
    if (in_.take("}")) return true;
    do {
      in_.skip_space();
      if (!read_pair(table, depth)) return false;
      in_.skip_space();
    } while (in_.take(","));
    if (!in_.take("}")) return in_.fail("a comma or } in a table on one line");
    close(table);
    return true;
  }

  // An inline table is complete, as are the tables of its dotted keys.
  static void close(TomlItem& table) {
    for (const auto& [name, item] : table.members) {
      if (item->made == Made::dotted) close(*item);
      item->made = Made::value;
    }
  }

  TomlScanner in_;
  TomlItem root_ = {.made = TomlItem::Made::header};
  std::size_t items_ = 0;
};

}  // namespace

std::optional<Node> read_toml_tree(const std::string& file, std::string_view text, Diagnostics& diagnostics) {
  TomlTree tree(text);
  auto root = tree.read();
  if (!root) diagnostics.add({.file = file, .line = tree.scanner().line()}, "", tree.scanner().error());
  return root;
}

}  // namespace fairlead::config
