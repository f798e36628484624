#pragma once

#include <fairlead/json/payload.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/merge/list_kind.hpp"

namespace fairlead::gateway {

/// Decides on one item of a list: the text to show, which may be the item itself, or "" to leave it out.
/// `key` is what it is called by, or nothing for an item that has no name, or several.
using ItemChange = std::function<std::string(std::string_view item, const std::optional<std::string>& key)>;

/// A list's result with its items changed; every other byte stays, and all of them if no item differs.
json::Payload with_items(json::Payload result, ListKind kind, const ItemChange& change);

/// Looks at the items of a list's result that have a name.
void for_each_item(const json::Payload& result, ListKind kind,
                   const std::function<void(std::string_view item, const std::string& key)>& look);

}  // namespace fairlead::gateway
