#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// Canonical JSON of a definition: members sorted, no space, no needless escapes. Numbers and duplicate
/// members are kept, because parsers disagree on duplicates. Unknown members are kept, because clients may read them.
std::string definition_of(std::string_view item);

/// A changed part of a definition as JSON; empty if absent.
struct DefinitionChange {
  std::string path;  ///< `inputSchema.properties.city.type`
  std::string before = {};
  std::string after = {};
};

/// Lists the differences of two definitions, as deep as possible.
std::vector<DefinitionChange> changes_between(std::string_view before, std::string_view after);

}  // namespace fairlead::gateway
