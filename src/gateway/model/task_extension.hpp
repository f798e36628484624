#pragma once

#include <fairlead/protocol/model/capabilities.hpp>
#include <string_view>

namespace fairlead::gateway {

/// The tasks extension of 2026-07-28. The gateway cannot route its methods yet, so it removes the declaration in both
/// directions: a client could never fetch the result of such a task.
inline constexpr std::string_view task_extension = "io.modelcontextprotocol/tasks";

/// Removes the extension, and the whole declaration if it was the only one.
inline void remove_tasks_extension(std::optional<protocol::Settings>& extensions) {
  if (!extensions) return;
  const auto erased = std::erase_if(*extensions, [](const auto& each) { return each.first == task_extension; });
  if (erased != 0 && extensions->empty()) extensions.reset();
}

}  // namespace fairlead::gateway
