#include "config/node.hpp"

#include <algorithm>

namespace fairlead::config {

const Node* Node::find(std::string_view name) const {
  const auto found = std::ranges::find(children, name, &Node::key);
  return kind == Kind::map && found != children.end() ? &*found : nullptr;
}

bool Node::same_content(const Node& other) const {
  if (kind != other.kind || text != other.text || key != other.key) return false;
  return std::ranges::equal(children, other.children,
                            [](const Node& mine, const Node& theirs) { return mine.same_content(theirs); });
}

std::string_view kind_phrase(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null: return "nothing";
    case Node::Kind::scalar: return "a single value";
    case Node::Kind::list: return "a list";
    case Node::Kind::map: break;
  }
  return "a map";
}

}  // namespace fairlead::config
