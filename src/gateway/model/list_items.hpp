#pragma once

#include <fairlead/json/payload.hpp>

#include "gateway/model/list_kind.hpp"

namespace fairlead::gateway {

/// Returns the text to show for one item of a list: the item itself, a changed one, or "" to leave it out. `key` is
/// empty for an item without a name, or with a duplicate one.
using ItemChange = std::function<std::string(std::string_view item, const std::optional<std::string>& key)>;

/// Applies a change to the items of a list result. All other bytes stay; the result is returned as it is if no item
/// differs.
json::Payload with_items(json::Payload result, ListKind kind, const ItemChange& change);

/// Calls a function for each item of a list result that has a key.
void for_each_item(const json::Payload& result, ListKind kind,
                   const std::function<void(std::string_view item, const std::string& key)>& visit);

}  // namespace fairlead::gateway
