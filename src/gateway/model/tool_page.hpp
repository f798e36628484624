#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fairlead::gateway {

/// The page that a tool of `tools/list` refers to (extension `io.modelcontextprotocol/ui`), in either spelling.
std::optional<std::string> page_of_tool(std::string_view tool);

/// The tool without the reference to its page, in both spellings.
std::string without_page(std::string_view tool);

}  // namespace fairlead::gateway
