#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gateway/merge/list_kind.hpp"

namespace fairlead::gateway {

/// What a model, or a person who approves it, is told of a tool or a prompt, in one form however it was written:
/// members in order, no space, no needless escape. Numbers stay as they are, and so does what is said twice: readers
/// differ in which they believe.
std::string definition_of(ListKind kind, std::string_view item);

/// A part of a definition that is another than before, as JSON; empty where there is none.
struct DefinitionChange {
  std::string path;  ///< `inputSchema.properties.city.type`
  std::string before = {};
  std::string after = {};
};

/// In what two definitions differ, as deep as that can be told.
std::vector<DefinitionChange> changes_between(std::string_view before, std::string_view after);

}  // namespace fairlead::gateway
