#pragma once

#include <algorithm>

#include "server/server_state.hpp"

namespace fairlead::server {

/// Encodes the list and the entry after which the next page starts.
std::string make_cursor(std::string_view list, std::string_view after);
/// The entry of a cursor; nothing if the cursor does not belong to this list.
std::optional<std::string> read_cursor(std::string_view list, std::string_view cursor);

template <class Entry>
struct Page {
  std::vector<std::shared_ptr<const Entry>> entries = {};
  std::optional<std::string> next = {};
};

/// The page that `call` requests, with the entries visible to the caller.
template <class Entry>
Result<Page<Entry>> page_of(const OrderedRegistry<Entry>& registry, EntryKind kind, const ServerState& server,
                            const session::Call& call) {
  const auto params = json::decode<protocol::PaginatedParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  const auto& all = registry.entries();
  std::size_t at = 0;
  if (params->cursor) {
    const auto after = read_cursor(call.method, *params->cursor);
    const auto last = after ? registry.find(*after) : nullptr;
    if (!last) return refuse(ProtocolError::bad_cursor, "unknown cursor; restart the list", *params->cursor);
    at = static_cast<std::size_t>(std::find(all.begin(), all.end(), last) - all.begin()) + 1;
  }
  Page<Entry> page;
  for (; at < all.size(); ++at) {
    if (!server.is_visible(kind, all[at]->name(), call.context.principal)) continue;
    if (page.entries.size() == server.page_size) {
      page.next = make_cursor(call.method, page.entries.back()->name());
      break;
    }
    page.entries.push_back(all[at]);
  }
  return page;
}

}  // namespace fairlead::server
