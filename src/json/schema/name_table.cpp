#include "json/schema/name_table.hpp"

#include <algorithm>

namespace fairlead::json::schema {

namespace {

bool before(std::string_view left, std::string_view right) {
  return left.size() != right.size() ? left.size() < right.size() : left < right;
}

}  // namespace

void NameTable::seal() {
  std::ranges::sort(entries_, before, &Entry::name);
  std::vector<Entry> joined;
  for (auto& entry : entries_) {
    if (joined.empty() || joined.back().name != entry.name) {
      joined.push_back(std::move(entry));
      continue;
    }
    joined.back().required |= entry.required;
    if (entry.node != no_node) joined.back().node = entry.node;
  }
  entries_ = std::move(joined);
  required_ = static_cast<std::size_t>(std::ranges::count(entries_, true, &Entry::required));
}

const NameTable::Entry* NameTable::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(entries_, name, before, &Entry::name);
  return found == entries_.end() || found->name != name ? nullptr : &*found;
}

}  // namespace fairlead::json::schema
