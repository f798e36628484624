#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// All that a server says of a tool or a prompt, in one form however it was written: members in order, no space, no
/// needless escape. Numbers stay as they are, and so does what is said twice: readers differ in which they believe. No
/// member is left out, known or not: clients read what this program does not know, and `Description` where they take
/// names in any case.
std::string definition_of(std::string_view item);

/// A part of a definition that is another than before, as JSON; empty where there is none.
struct DefinitionChange {
  std::string path;  ///< `inputSchema.properties.city.type`
  std::string before = {};
  std::string after = {};
};

/// In what two definitions differ, as deep as that can be told.
std::vector<DefinitionChange> changes_between(std::string_view before, std::string_view after);

}  // namespace fairlead::gateway
