#pragma once

#include <fairlead/protocol/protocol_error.hpp>
#include <string_view>

namespace fairlead::protocol {

/// An alternative method name used by some clients.
struct MethodAlias {
  std::string_view name;
  std::string_view method;  ///< The name in the specification.
  ErrorDialect hint;        ///< The error dialect that clients using this name expect.
};

/// Returns null if the name is not an alias.
///
/// `mcp/discover` returns more than `server/discover`: also the full lists of tools, resources and prompts.
const MethodAlias* find_alias(std::string_view name);

}  // namespace fairlead::protocol
