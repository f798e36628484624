#pragma once

#include <fairlead/protocol/model/capabilities.hpp>
#include <optional>
#include <string_view>

namespace fairlead::gateway {

/// Tasks of 2026-07-28. The gateway cannot route what asks for them yet, so that neither side hears of the extension
/// from the other: a task that was begun could never be fetched.
inline constexpr std::string_view task_extension = "io.modelcontextprotocol/tasks";

/// Takes the extension out; a declaration with nothing left in it goes too.
inline void without_tasks(std::optional<protocol::Settings>& extensions) {
  if (!extensions) return;
  const auto erased = std::erase_if(*extensions, [](const auto& each) { return each.first == task_extension; });
  if (erased != 0 && extensions->empty()) extensions.reset();
}

}  // namespace fairlead::gateway
