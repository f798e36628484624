#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::json::schema {

/// Index of a schema in its program.
using NodeId = std::uint32_t;
inline constexpr NodeId no_node = std::numeric_limits<NodeId>::max();

/// The property names that a schema mentions, looked up by length and then by bytes.
class NameTable {
 public:
  struct Entry {
    std::string name;
    NodeId node = no_node;  ///< From `properties`.
    bool required = false;
  };

  void add(Entry entry) { entries_.push_back(std::move(entry)); }

  /// Sorts and merges the entries. Call it before find().
  void seal();
  const Entry* find(std::string_view name) const;

  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t required() const { return required_; }

 private:
  std::vector<Entry> entries_;
  std::size_t required_ = 0;
};

}  // namespace fairlead::json::schema
