#pragma once

#include <fairlead/protocol/fault.hpp>
#include <string_view>

namespace fairlead::protocol {

/// Another name that a method goes by in the field.
struct Alias {
  std::string_view spelled;
  std::string_view method;  ///< What the specification calls it.
  Dialect hint;             ///< The dialect that whoever spells it so probably speaks.
};

/// Null for a name that is not an alias.
///
/// `mcp/discover` asks for more than `server/discover`: the full lists of tools, resources and prompts as well.
const Alias* find_alias(std::string_view spelled);

}  // namespace fairlead::protocol
