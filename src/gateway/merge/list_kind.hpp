#pragma once

#include <array>
#include <cstdint>
#include <fairlead/protocol/model/capabilities.hpp>
#include <optional>
#include <string_view>

namespace fairlead::gateway {

/// The lists that a server may offer.
enum class ListKind : std::uint8_t { tools, prompts, resources, templates };

inline constexpr std::array all_lists = {ListKind::tools, ListKind::prompts, ListKind::resources, ListKind::templates};

/// How a list looks on the wire.
struct ListForm {
  std::string_view method;  ///< Asks for it.
  std::string_view member;  ///< Of the result, that holds the items.
  std::string_view key;     ///< Of an item, that tells it from the others.
  std::string_view notice;  ///< Says that it has changed.
};

const ListForm& form_of(ListKind kind);

/// Nothing for a method that is no list's.
std::optional<ListKind> list_asked_by(std::string_view method);

/// Whether items are called by a name of their server's choice, which another server may have chosen too.
constexpr bool is_named(ListKind kind) {
  return kind == ListKind::tools || kind == ListKind::prompts;
}

bool is_offered(ListKind kind, const protocol::ServerCapabilities& capabilities);

/// Whether the server says when the list changes.
bool is_announced(ListKind kind, const protocol::ServerCapabilities& capabilities);

}  // namespace fairlead::gateway
