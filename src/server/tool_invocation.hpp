#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "server/server_state.hpp"

namespace fairlead::server {

/// A call whose tool is visible and whose arguments are valid.
struct ToolInvocation {
  static constexpr std::optional handler_fault = ProtocolError::tool_failed;

  std::shared_ptr<const RegisteredTool> tool;
  std::string_view arguments;  ///< Part of the params of the call.

  const auto& handler() const { return tool->entry.handler; }
  Input input() const { return {.json = arguments, .reject_unknown = tool->entry.reject_unknown}; }

  Result<session::Reply> finish(const session::Call& call, Result<protocol::CallToolResult> output) const;
};

/// The arguments in the params of tools/call; `{}` if there are none.
std::string_view tool_arguments(const json::Payload& params);

}  // namespace fairlead::server
