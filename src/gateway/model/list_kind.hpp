#pragma once

#include <array>
#include <cstdint>
#include <fairlead/protocol/model/capabilities.hpp>
#include <string_view>

namespace fairlead::gateway {

/// The lists that a server may offer.
enum class ListKind : std::uint8_t { tools, prompts, resources, templates, skills };

inline constexpr std::array all_lists = {ListKind::tools, ListKind::prompts, ListKind::resources, ListKind::templates,
                                         ListKind::skills};

/// Names that belong to a list in the protocol.
struct ListInfo {
  std::string_view method;          ///< Request that returns the list.
  std::string_view member;          ///< Member of the result with the items.
  std::string_view key;             ///< Member of an item that identifies it.
  std::string_view changed_method;  ///< Notification that the list has changed.
};

const ListInfo& list_info(ListKind kind);

/// Nothing for a method that does not return a list.
std::optional<ListKind> list_kind_of(std::string_view method);

/// Whether the server chooses the names, so that two servers may use the same one.
constexpr bool is_named(ListKind kind) {
  return kind == ListKind::tools || kind == ListKind::prompts;
}

bool is_offered(ListKind kind, const protocol::ServerCapabilities& capabilities);

/// Whether the server sends a notification when the list changes.
bool announces_changes(ListKind kind, const protocol::ServerCapabilities& capabilities);

}  // namespace fairlead::gateway
